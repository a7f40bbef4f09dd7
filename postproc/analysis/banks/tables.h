/* SPDX-License-Identifier: Apache-2.0 */
/* The table of bank conflicts (tables.def); what it is made from is struct ct_banks_lines. */
#ifndef CT_POSTPROC_ANALYSIS_BANKS_TABLES_H
#define CT_POSTPROC_ANALYSIS_BANKS_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_bank_conflicts_table;

/* The section that findings are about. */
#define CT_BANKS_SECTION "bank_conflicts"

#endif
