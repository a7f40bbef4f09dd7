/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by key: a hash table from two words to two counters. */
#ifndef CT_POSTPROC_SHUFFLE_SUMS_H
#define CT_POSTPROC_SHUFFLE_SUMS_H

#include "postproc/base/ranks.h"
#include <stddef.h>
#include <stdint.h>

struct ct_sum {
	uint64_t key[2];
	uint64_t value[2];
};

struct ct_sums;

int ct_sums_open(struct ct_sums **out);
void ct_sums_close(struct ct_sums *sums); /* NULL is allowed */

/* Add to what the key has; from 0. 0 or -ENOMEM. */
int ct_sums_add(struct ct_sums *sums, uint64_t key0, uint64_t key1, uint64_t value0,
		uint64_t value1);
/* It will be added to soon, or looked for. */
void ct_sums_expect(const struct ct_sums *sums, uint64_t key0, uint64_t key1);
/* NULL if the key was never added to; valid until the next addition. */
const struct ct_sum *ct_sums_find(const struct ct_sums *sums, uint64_t key0, uint64_t key1);

/* Keys are of one part each, by their hash. */
#define CT_SUMS_PARTS_LOG2 6u
#define CT_SUMS_PARTS (1u << CT_SUMS_PARTS_LOG2)

/* Add the part of other to that of sums, never sorted since the last addition. Threads
 * may do different parts at the same time. 0 or -ENOMEM. */
int ct_sums_merge_part(struct ct_sums *sums, const struct ct_sums *other, uint32_t part);
/* All parts, by one thread. Likewise. */
int ct_sums_merge(struct ct_sums *sums, const struct ct_sums *other);
/* Collective: rank 0 has the sums over all ranks, the others none. */
int ct_sums_gather(struct ct_sums *sums, struct ct_ranks *ranks);

/* Sorted by key; owned by sums, valid until the next addition. NULL: out of memory. */
const struct ct_sum *ct_sums_sorted(struct ct_sums *sums, size_t *count);

#endif
