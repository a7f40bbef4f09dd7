/* SPDX-License-Identifier: Apache-2.0 */
/* How much of each object launches use, how evenly, in which slices, and what of it is written in
 * vain: from facts of pages (history.h) to figures of lifetimes. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FIGURES_USAGE_H
#define CT_POSTPROC_ANALYSIS_VALUES_FIGURES_USAGE_H

#include "postproc/analysis/values/base/engine.h"
#include "postproc/facts/unread.h"

struct ct_sum;

/* By object of the trace, and facts of pages, which stay where they are. */
struct ct_value_usage {
	struct ct_values_usage *of;
	const struct ct_sum *pages, *gaps;
	size_t page_count, gap_count;
	struct ct_values_shape *shape; /* by object: of elements of each size */
	struct ct_unread unread;       /* of the object at hand, whose facts are together */
	uint32_t unread_object;        /* CT_NONE: none */
	const struct ct_object_info *object;
};

/* 0 or -ENOMEM; ct_value_usage_fini in either case. */
int ct_value_usage_init(struct ct_value_usage *usage, const struct ct_value_engine *engine);
void ct_value_usage_fini(struct ct_value_usage *usage);
/* Facts WROTE, UNREAD, SLICE, HITS, SQUARES, PAGES, GAPS as they come sorted. */
void ct_value_usage_add(struct ct_value_usage *usage, const struct ct_sum *sum);
/* Adds a fact WROTE: who has written what is not read. 0 or -ENOMEM */
int ct_value_dead_add(struct ct_values_figures *figures, const struct ct_value_engine *engine,
		      const struct ct_sum *sum);
/* By group and node, once all are there. */
void ct_value_dead_finish(struct ct_values_figures *figures);
/* Fills usage of the lifetimes; sets are there. 0 or -ENOMEM */
int ct_value_usage_finish(struct ct_value_usage *usage, struct ct_values_figures *figures,
			  const struct ct_value_engine *engine);

#endif
