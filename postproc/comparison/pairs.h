/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of one study is what of another one: kernels by their names, those that only template
 * arguments or parameters tell apart where one of that name is in each; lines of a kernel in their
 * order, those that say the same, or do the same to the same objects, wherever an edit has moved
 * them.
 */
#ifndef CT_POSTPROC_COMPARISON_PAIRS_H
#define CT_POSTPROC_COMPARISON_PAIRS_H

#include "postproc/comparison/side.h"

#define CT_PAIR_NONE SIZE_MAX

struct ct_compared_pair {
	size_t before, after; /* CT_PAIR_NONE: only the other one has it */
};

struct ct_compared_pairs {
	struct ct_compared_pair *list; /* as in before, then those that after alone has */
	size_t count;
};

/* 0 or -ENOMEM; fini frees in either case. kernels: those of the sides. */
int ct_compared_pairs_kernels(struct ct_compared_pairs *pairs, const struct ct_side *before,
			      const struct ct_side *after);
int ct_compared_pairs_lines(struct ct_compared_pairs *pairs, const struct ct_side *before,
			    const struct ct_side *after, const struct ct_compared_pairs *kernels);
void ct_compared_pairs_fini(struct ct_compared_pairs *pairs);

/* Whether nothing of them is of one program: neither a kernel nor a file of the source is in both.
 */
bool ct_compared_pairs_are_foreign(const struct ct_compared_pairs *kernels,
				   const struct ct_side *before, const struct ct_side *after);

/* Returns the partner of one of before (when 0), or of after (1); CT_PAIR_NONE: there is none. */
size_t ct_compared_pairs_other(const struct ct_compared_pairs *pairs, unsigned when, size_t number);

#endif
