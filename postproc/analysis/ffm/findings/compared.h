/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of two studies beside each other (compared.def), and sentences on what is doubtful. */
#ifndef CT_FFM_COMPARED_H
#define CT_FFM_COMPARED_H

#include "postproc/analysis/ffm/compare.h"
#include "postproc/tables/table.h"

/* What the tables are made from. */
struct ct_ffm_beside {
	const struct ct_ffm_comparison *comparison;
	const char *name[2]; /* of the studies */
};

extern const struct ct_table_def ct_compared_runs_table, ct_compared_doubts_table,
    ct_compared_problems_table, ct_compared_calls_table;

/* Sentences, one for each doubt; *count of them, each to be freed, and the array. NULL: memory is
 * short. */
char **ct_ffm_doubt_texts(const struct ct_ffm_comparison *comparison, size_t *count);

#endif
