/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of calls (tables.def); what they are made from is struct ct_calls. */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_TABLES_H
#define CT_POSTPROC_ANALYSIS_CALLS_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_call_functions_table, ct_call_waits_table,
    ct_kernel_times_table, ct_copy_times_table, ct_range_times_table, ct_call_totals_table,
    ct_call_parts_table, ct_inner_functions_table, ct_call_threads_table, ct_call_streams_table;

/* The rows of these are made from struct ct_call_tree, top-down. */
extern const struct ct_table_def ct_call_paths_table, ct_call_warnings_table;

#endif
