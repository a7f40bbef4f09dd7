/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses of one launch to one block of 64 bytes, and which of them race: of each byte one store
 * is held against all other accesses, and where that is by the same CTA or warp, a store of
 * another one, if there is one; so if any race, some do here. Strong accesses race with nothing,
 * but a load of what another CTA or warp stores by one may learn from it what is done.
 */
#ifndef CT_POSTPROC_ANALYSIS_RACES_BLOCK_H
#define CT_POSTPROC_ANALYSIS_RACES_BLOCK_H

#include "postproc/analysis/races/analysis.h"

#define CT_RACES_BLOCK_BYTES 64u

/* Whether an entry has values: of lanes that store different ones to a byte it is not known which
 * remains. */
enum ct_races_valued { CT_RACES_UNVALUED, CT_RACES_VALUED, CT_RACES_AT_ODDS };

/* Bits that say what an access does. Strong ones are atomics, volatile accesses and such as acquire
 * or release, which race with nothing. */
#define CT_RACES_LOADS 1u  /* the thread learns what is there, */
#define CT_RACES_STORES 2u /* it stores, */
#define CT_RACES_ADDS 4u   /* what it makes of what is there */
#define CT_RACES_STRONG 8u

/* An entry of the shuffles: key is block, launch << 32 | CTA's low bits. */
struct ct_races_entry {
	uint64_t key[2];
	uint64_t bytes; /* a bit for each */
	uint64_t cta;
	uint32_t epoch; /* barriers of the CTA before it */
	uint32_t warp;
	uint32_t site;                       /* of all units */
	uint16_t what;                       /* CT_RACES_LOADS ... */
	uint16_t is_valued;                  /* enum ct_races_valued */
	uint8_t value[CT_RACES_BLOCK_BYTES]; /* of these bytes, if it is valued */
};

/* Bytes that meet, a bit for each. A load that finds what is stored may have come after it, and
 * find something else before it: of loads it is known only where they differ. */
struct ct_races_bytes {
	uint64_t all;
	uint64_t same;   /* all who store there store one value, */
	uint64_t differ; /* or not, or the other loads another one; else it is not known */
};

/* A report has: who stores, who else accesses the bytes. */
typedef int ct_races_tell(void *user, enum ct_races_between between,
			  const struct ct_races_entry *store, const struct ct_races_entry *other,
			  const struct ct_races_bytes *bytes);

/* entry: of one block and launch; they are sorted. 0, or the first that tell returns. *unknown:
 * adds CT_RACES_UNKNOWN_... (launches.h) where loads find what nothing orders with strong
 * stores. */
int ct_races_in_block(struct ct_races_entry *entry, size_t count, ct_races_tell *tell, void *user,
		      uint32_t *unknown);

#endif
