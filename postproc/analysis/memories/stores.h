/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that a launch stores to again and again and does not load: all but the last store of each
 * element are redundant (seed 003, slides 13 and 14: a sum belongs into a register). Of stores
 * whose lanes have elements of their own: what many threads store, as a flag, is another matter.
 * docs/memories.md.
 */
#ifndef CT_POSTPROC_ANALYSIS_MEMORIES_STORES_H
#define CT_POSTPROC_ANALYSIS_MEMORIES_STORES_H

#include "postproc/analysis/access/analysis.h"

struct ct_overwritten {
	uint32_t kernel, group;
	const struct ct_access_row *row; /* of its stores, the one of the most requests */
	double times;                    /* that an element is stored in a launch, in the mean */
	double sectors, share;           /* that are stored redundantly; of all of the kernel's */
};

struct ct_overwrites {
	struct ct_overwritten *list; /* the most sectors first */
	size_t count;
};

/* 0 or -ENOMEM; fini frees in either case. */
int ct_overwrites_init(struct ct_overwrites *overwrites, const struct ct_access_results *access);
void ct_overwrites_fini(struct ct_overwrites *overwrites);

#endif
