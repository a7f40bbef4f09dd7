/* SPDX-License-Identifier: Apache-2.0 */
/* Sums transfers by kernels: all launches of one to all of another. Of one thread. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FLOWS_KERNEL_PAIRS_H
#define CT_POSTPROC_ANALYSIS_COMM_FLOWS_KERNEL_PAIRS_H

#include "postproc/analysis/comm/base/engine.h"

#include "base/map.h"

struct ct_kernel_pair {
	uint64_t key; /* CT_PAIR_KEY */
	uint64_t transfers, bytes, self_bytes;
	uint64_t out_degree; /* of the source CTA at hand */
	uint64_t target;     /* CTA + 1 that was counted last */
	uint32_t cover;      /* of products */
	bool is_used;        /* by the source CTA at hand */
	uint32_t *in_degree; /* by target CTA; NULL: no memory for them, sums have them */
};

struct ct_kernel_pairs {
	const struct ct_engine *engine;
	struct ct_map pairs;
	struct ct_kernel_pair *last;  /* that was looked up */
	struct ct_kernel_pair **used; /* by the source CTA at hand */
	size_t used_count, used_room;
	uint64_t in_degrees; /* counters that pairs may still have */
};

void ct_kernel_pairs_init(struct ct_kernel_pairs *pairs, const struct ct_engine *engine);
void ct_kernel_pairs_fini(struct ct_kernel_pairs *pairs);

/* NULL: out of memory */
struct ct_kernel_pair *ct_kernel_pairs_find(struct ct_kernel_pairs *pairs, uint64_t key);
static inline struct ct_kernel_pair *ct_kernel_pair_of(struct ct_kernel_pairs *pairs, uint64_t key)
{
	return pairs->last && pairs->last->key == key ? pairs->last
						      : ct_kernel_pairs_find(pairs, key);
}

/* The source CTA at hand has something to do with it. -ENOMEM */
int ct_kernel_pairs_use(struct ct_kernel_pairs *pairs, struct ct_kernel_pair *pair);

/* To the sums: of a source CTA, which is done; and everything else. 0 or the first error. */
int ct_kernel_pairs_end_source(struct ct_kernel_pairs *pairs, struct ct_sums *sums,
			       uint32_t source);
int ct_kernel_pairs_add(const struct ct_kernel_pairs *pairs, struct ct_sums *sums);

#endif
