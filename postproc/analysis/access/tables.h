/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of accesses (tables.def); what they are made from is struct ct_access_results. */
#ifndef CT_POSTPROC_ANALYSIS_ACCESS_TABLES_H
#define CT_POSTPROC_ANALYSIS_ACCESS_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_access_totals_table, ct_accesses_table, ct_access_kernels_table,
    ct_access_objects_table, ct_access_widths_table, ct_access_launches_table, ct_access_heat_table,
    ct_other_accesses_table, ct_hot_addresses_table;

/* The section that findings are about. */
#define CT_ACCESS_SECTION "accesses"

#endif
