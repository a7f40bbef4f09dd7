/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of values (tables.def); what they are made from is struct ct_values_figures. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_TABLES_H
#define CT_POSTPROC_ANALYSIS_VALUES_FINDINGS_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_value_totals_table, ct_value_sums_table, ct_value_gaps_table,
    ct_value_peaks_table, ct_value_objects_table, ct_value_nodes_table, ct_value_pairs_table,
    ct_value_lines_table, ct_value_sets_table, ct_value_summaries_table, ct_value_contexts_table,
    ct_value_launches_table, ct_value_transfers_table, ct_value_lifetimes_table,
    ct_value_memory_table, ct_value_flows_table;

/* The section that findings are about. */
#define CT_VALUES_SECTION "value_lines"

#endif
