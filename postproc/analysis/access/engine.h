/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The analysis of accesses (docs/access.md) at work: what its files share.
 *
 *   scan ──► rows: one for each kernel, site and group of objects
 *     ├──pieces──► [by block of 512 bytes] ──► distinct bytes of launches, objects, rows
 *     └──atomics──► [by launch, address] ──► hot addresses
 *
 * Brackets are shuffles. Rows are as many as the program has, so each worker has them all. What
 * stages find are sums (postproc/shuffle/sums.h) under the facts below, so that figures are the
 * same for any number of threads and ranks.
 */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_ENGINE_H
#define CT_POSTPROC_ANALYSIS_ACCESS_ENGINE_H

#include "postproc/analysis/access/analysis.h"
#include "postproc/facts/objects.h"
#include "postproc/shuffle/shuffle.h"
#include "postproc/shuffle/sums.h"

#define CT_ACCESS_PARTITIONS 256u

struct ct_access_site {
	const struct ct_unit *unit;
	uint32_t site;  /* of the unit */
	uint32_t first; /* of all units: of its copies by inlining and unrolling, the first */
	enum ct_class class;
};

struct ct_access_engine {
	const struct ct_trace *trace;
	const struct ct_filter *filter;
	const struct ct_launch_info *first_launch;
	struct ct_kernel_table kernels;
	struct ct_objects *objects;
	struct ct_access_site *site; /* of all units */
	uint32_t *first_site;        /* by unit */
	uint32_t sites;
	const struct ct_unit *units;
	uint32_t threads;
	struct ct_shuffle *pieces, *atomics; /* of struct ct_access_entry */
	uint64_t page_bytes; /* of a thread's footprint, and of what it holds of atomics */
	struct ct_sums *sums;
	struct ct_ranks *ranks;
};

/*
 * What goes through the shuffles.
 *   pieces    key   block of 512 bytes << 23 | launch's low 23 bits;
 *                   launch's high 9 bits << 55 | group << 29 | site of all units << 3 | part
 *             value a bit for each word of four bytes of the block that was accessed, if part is
 *                   CT_ACCESS_PART_WORDS, else for each byte of that quarter of it
 *   atomics   key   launch; address
 *             value lanes; the least site of all units
 */
struct ct_access_entry {
	uint64_t key[2], value[2];
};

#define CT_ACCESS_LAUNCH_LOW 23u
#define CT_ACCESS_LAUNCH_HIGH 9u
#define CT_ACCESS_GROUP_BITS 26u
#define CT_ACCESS_SITE_BITS 26u
#define CT_ACCESS_PART_BITS 3u
#define CT_ACCESS_PART_MASK ((1u << CT_ACCESS_PART_BITS) - 1)
#define CT_ACCESS_QUARTERS 4u
#define CT_ACCESS_PART_WORDS CT_ACCESS_QUARTERS
#define CT_ACCESS_LAUNCH_SHIFT (CT_ACCESS_GROUP_BITS + CT_ACCESS_SITE_BITS + CT_ACCESS_PART_BITS)
#define CT_ACCESS_GROUP_SHIFT (CT_ACCESS_SITE_BITS + CT_ACCESS_PART_BITS)
_Static_assert(CT_ACCESS_LAUNCH_SHIFT + CT_ACCESS_LAUNCH_HIGH == 64, "a word of a key");

/* The second word of pieces' keys, without the part. */
static inline uint64_t ct_access_entry_owner(uint32_t launch, uint32_t group, uint32_t site)
{
	return (uint64_t)(launch >> CT_ACCESS_LAUNCH_LOW) << CT_ACCESS_LAUNCH_SHIFT |
	       (uint64_t)group << CT_ACCESS_GROUP_SHIFT | (uint64_t)site << CT_ACCESS_PART_BITS;
}

static inline uint32_t ct_access_entry_launch(const struct ct_access_entry *entry)
{
	return (uint32_t)(entry->key[1] >> CT_ACCESS_LAUNCH_SHIFT << CT_ACCESS_LAUNCH_LOW |
			  (entry->key[0] & ((1u << CT_ACCESS_LAUNCH_LOW) - 1)));
}

static inline uint32_t ct_access_entry_group(const struct ct_access_entry *entry)
{
	return (uint32_t)(entry->key[1] >> CT_ACCESS_GROUP_SHIFT) &
	       ((1u << CT_ACCESS_GROUP_BITS) - 1);
}

static inline uint32_t ct_access_entry_site(const struct ct_access_entry *entry)
{
	return (uint32_t)(entry->key[1] >> CT_ACCESS_PART_BITS) & ((1u << CT_ACCESS_SITE_BITS) - 1);
}

/* The first word of a sum's key: the fact, and whose it is. The second: of ROW the site of all
 * units, of HOT and HOT_SITE the address; else 0. */
enum ct_access_fact {
	CT_ACCESS_FACT_ROW,     /* kernel, group: distinct bytes; distinct sectors */
	CT_ACCESS_FACT_OBJECT,  /* kernel, group: likewise */
	CT_ACCESS_FACT_LAUNCH,  /* launch: likewise */
	CT_ACCESS_FACT_LINES,   /* launch: distinct lines of 64; of 128 bytes */
	CT_ACCESS_FACT_ATOMICS, /* all: lanes; distinct addresses */
	CT_ACCESS_FACT_HOT,     /* launch: lanes; the least site of all units */
};
#define CT_ACCESS_FACT_BITS 60u
#define CT_ACCESS_FACT_KEY(fact, kernel, group)                                                    \
	((uint64_t)(fact) << CT_ACCESS_FACT_BITS | (uint64_t)(kernel) << 32 | (group))
#define CT_ACCESS_FACT_OF(key) ((enum ct_access_fact)((key) >> CT_ACCESS_FACT_BITS))
#define CT_ACCESS_FACT_KERNEL(key)                                                                 \
	((uint32_t)((key) >> 32) & ((1u << (CT_ACCESS_FACT_BITS - 32)) - 1))

/* -EOVERFLOW: there is more than keys have room for. The engine is released in either case. */
int ct_access_engine_prepare(struct ct_access_engine *engine);
void ct_access_engine_release(struct ct_access_engine *engine);

#endif
