/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses of one launch to one block of 128 bytes, and which of them race: of each byte one store
 * is held against all other accesses, and where that is by the same CTA or warp, a store of
 * another one, if there is one; so if any race, some do here.
 */
#ifndef CT_RACES_BLOCK_H
#define CT_RACES_BLOCK_H

#include "postproc/analysis/races/analysis.h"

#define CT_RACES_BLOCK_BYTES 128u

/* What goes through the shuffle: key is block, launch << 32 | CTA's low bits. */
struct ct_races_entry {
	uint64_t key[2];
	uint64_t bytes[2]; /* a bit for each */
	uint64_t cta;
	uint32_t epoch; /* barriers of the CTA before it */
	uint32_t warp;
	uint32_t site; /* of all units */
	uint32_t is_store;
};

/* Told of: who stores, who else accesses the bytes. */
typedef int ct_races_tell(void *user, enum ct_races_between between,
			  const struct ct_races_entry *store, const struct ct_races_entry *other,
			  const uint64_t bytes[2]);

/* entry: of one block and launch; they are sorted. 0, or the first that tell returns. */
int ct_races_in_block(struct ct_races_entry *entry, size_t count, ct_races_tell *tell, void *user);

#endif
