/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of what bounds kernels (tables.def); what they are made from is struct ct_model_all. */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_TABLES_H
#define CT_POSTPROC_ANALYSIS_MODEL_TABLES_H

#include "postproc/tables/table.h"

extern const struct ct_table_def ct_model_kernels_table, ct_model_changes_table,
    ct_model_points_table, ct_model_ceilings_table, ct_model_machine_table,
    ct_model_parameters_table, ct_model_instructions_table, ct_model_simulations_table,
    ct_model_gpuperf_table, ct_model_balances_table, ct_model_caches_table,
    ct_model_cache_lines_table, ct_model_nodes_table, ct_model_arcs_table;

/* From struct ct_model_ranking, sorted. */
extern const struct ct_table_def ct_model_ranking_table, ct_model_errors_table;

/* The section that findings are about. */
#define CT_MODEL_SECTION "model_kernels"

#endif
