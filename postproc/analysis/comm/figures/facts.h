/* SPDX-License-Identifier: Apache-2.0 */
/* Figures are made from these: sums of one kind, and the lists that have files of their own. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FIGURES_FACTS_H
#define CT_POSTPROC_ANALYSIS_COMM_FIGURES_FACTS_H

#include "postproc/analysis/comm/base/engine.h"

#define CT_FACT_REST(sum) ((sum)->key[0] & ((1ull << 56) - 1))
#define CT_FACT_OF(sum) ((enum ct_fact)((sum)->key[0] >> 56))

/* The sums of one kind. */
struct ct_facts {
	const struct ct_sum *sum;
	size_t count;
};

static inline struct ct_facts ct_facts_of(const struct ct_sum *all, size_t count, enum ct_fact fact)
{
	size_t low = 0, high = count, first;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (CT_FACT_OF(&all[middle]) < fact)
			low = middle + 1;
		else
			high = middle;
	}
	for (first = low; low < count && CT_FACT_OF(&all[low]) == fact; low++)
		;
	return (struct ct_facts){all + first, low - first};
}

/* figures_lists.c: kernel pairs, pairs of lines, objects; sorted by weight. 0 or -ENOMEM. */
int ct_figures_lists(struct ct_comm_figures *figures, const struct ct_engine *engine,
		     const struct ct_sum *all, size_t count);
/* Their order, for qsort. */
int ct_compare_lines(const void *a, const void *b);
int ct_compare_objects(const void *a, const void *b);

#endif
