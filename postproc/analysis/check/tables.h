/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of memory checks (tables.def); what they are made from is struct ct_check_results. */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_TABLES_H
#define CT_POSTPROC_ANALYSIS_CHECK_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_checks_table, ct_check_totals_table;

/* The section that findings are about. */
#define CT_CHECKS_SECTION "checks"

#endif
