/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is allocated and freed again and again: a call site that allocates with one that
 * frees (seed 000, 5.4.1 and 6.2). An allocation is one again if the pair had freed memory before
 * that no other one of it has used since, so a pool of the pair would have served it, or the memory
 * could have been kept. Many allocations one after another, freed in the end, are none. Allocations
 * in the order of a stream come from a pool already and are left out.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_PAIRS_H
#define CT_POSTPROC_ANALYSIS_FFM_PAIRS_H

#include "postproc/analysis/ffm/memory.h"

struct ct_ffm_pair {
	uint32_t allocated, freed; /* steps of the first of its objects */
	uint32_t object;           /* that is the first */
	uint64_t count;            /* objects */
	uint64_t again;            /* of these */
	uint64_t least_bytes, most_bytes;
	uint64_t bytes;       /* of all of them */
	uint64_t allocate_ns; /* of allocating again, but for waits */
	uint64_t free_ns;     /* of as many calls that free, on average, but for waits */
	uint64_t wait_ns;     /* of all calls that free */
	uint32_t alive;       /* objects at once, at most */
};

struct ct_ffm_pairs {
	struct ct_ffm_pair *pair; /* in the order of first births */
	size_t count;
	uint32_t *next; /* by object: the next one allocated of its pair; CT_FFM_NONE */
};

/* site: of each step. 0 or -ENOMEM; fini is allowed in either case. */
int ct_ffm_pairs_init(struct ct_ffm_pairs *pairs, const struct ct_ffm_memory *memory,
		      const struct ct_ffm_program *program, const uint32_t *site);
void ct_ffm_pairs_fini(struct ct_ffm_pairs *pairs);

#endif
