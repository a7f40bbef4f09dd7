/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of blame (tables.def). */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_TABLES_H
#define CT_POSTPROC_ANALYSIS_BLAME_TABLES_H

#include "postproc/analysis/blame/blame.h"
#include "postproc/tables/table.h"

struct ct_sampled_facts;

struct ct_blame_weighing {
	const struct ct_blame *blame;
	const struct ct_sampled_facts *sampled; /* of samples; else NULL */
	const char *cpu_missing;                /* why not all host threads were sampled; "" */
	bool is_of_warps;                       /* else of lanes */
};

/* From struct ct_blame_weighing. */
extern const struct ct_table_def ct_blame_totals_table;
/* From struct ct_blame. */
extern const struct ct_table_def ct_blame_variables_table, ct_blame_waits_table,
    ct_blame_objects_table, ct_blame_launches_table, ct_blame_functions_table;

#endif
