/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of two studies side by side; what they are made from is struct ct_comparison. */
#ifndef CT_POSTPROC_COMPARISON_TABLES_H
#define CT_POSTPROC_COMPARISON_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_compared_runs_table, ct_compared_doubts_table,
    ct_compared_problems_table, ct_compared_kernels_table, ct_compared_lines_table,
    ct_compared_calls_table;

#define CT_COMPARISON_TABLES 6u
/* All of them; ends with NULL. */
extern const struct ct_table_def *const ct_comparison_tables[CT_COMPARISON_TABLES + 1];

#endif
