/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread of the page stage counts: rows (kernel, group of objects, site), and pairs of them.
 * Rows are known by numbers of their own; number 0 belongs to none, and what is counted there is
 * forgotten. Not synchronised.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_PAGES_ROWS_H
#define CT_POSTPROC_ANALYSIS_VALUES_PAGES_ROWS_H

#include "postproc/analysis/values/base/engine.h"

struct ct_value_row {
	uint32_t kernel, group, site; /* site of all units */
	uint64_t equal, candidates;   /* as in ct_values_cells */
	uint64_t surprises;
	struct ct_values_counts counts;
	uint32_t run;                   /* of the page stage, the last one it was in, */
	struct ct_values_counts before; /* and the counts when that began */
};

struct ct_value_rows;

int ct_value_rows_open(struct ct_value_rows **out);
void ct_value_rows_close(struct ct_value_rows *rows); /* NULL is allowed */

/* The number of a row; site CT_NONE: 0. */
int ct_value_rows_find(struct ct_value_rows *rows, uint32_t kernel, uint32_t group, uint32_t site,
		       uint32_t *number);
/* Holds until the next find. */
struct ct_value_row *ct_value_rows_at(struct ct_value_rows *rows, uint32_t number);

/* The thread did again at `row` what it had done at `old`. */
int ct_value_rows_pair(struct ct_value_rows *rows, bool is_store, uint32_t old, uint32_t row,
		       uint64_t elements);

/* Everything, as facts. */
int ct_value_rows_sum(struct ct_value_rows *rows, struct ct_sums *sums);

#endif
