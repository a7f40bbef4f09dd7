/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of branches (tables.def); what they are made from is struct ct_branches_results. */
#ifndef CT_POSTPROC_ANALYSIS_BRANCHES_TABLES_H
#define CT_POSTPROC_ANALYSIS_BRANCHES_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_branches_table, ct_branch_kernels_table;

/* The section that findings are about. */
#define CT_BRANCHES_SECTION "branches"

#endif
