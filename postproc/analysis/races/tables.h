/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of races (tables.def); what they are made from is struct ct_races_results. */
#ifndef CT_POSTPROC_ANALYSIS_RACES_TABLES_H
#define CT_POSTPROC_ANALYSIS_RACES_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_races_table, ct_race_totals_table;

/* The section that findings are about. */
#define CT_RACES_SECTION "races"

#endif
