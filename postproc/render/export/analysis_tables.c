/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that analyses describe, and what they need. */
#include "postproc/analysis/access/tables.h"
#include "postproc/analysis/banks/tables.h"
#include "postproc/analysis/blame/tables.h"
#include "postproc/analysis/branches/tables.h"
#include "postproc/analysis/calls/tables.h"
#include "postproc/analysis/causes/tables.h"
#include "postproc/analysis/ctas/tables.h"
#include "postproc/analysis/ffm/findings/compared.h"
#include "postproc/analysis/ffm/findings/tables.h"
#include "postproc/analysis/model/tables.h"
#include "postproc/analysis/races/tables.h"
#include "postproc/analysis/reuse/tables.h"
#include "postproc/analysis/samples/tables.h"
#include "postproc/analysis/values/findings/tables.h"
#include "postproc/render/export/tables.h"
#include "postproc/tables/findings.h"

static const void *accesses(const struct ct_export *export)
{
	return export->inquiry->access;
}

static const void *model(const struct ct_export *export)
{
	return export->inquiry->model;
}

static const void *values(const struct ct_export *export)
{
	return export->inquiry->values;
}

static const void *branches(const struct ct_export *export)
{
	return export->inquiry->branches;
}

static const void *findings(const struct ct_export *export)
{
	return export->findings;
}

#define ENTRY(name, needs_, from_)                                                                 \
	const struct ct_export_entry ct_export_entry_##name = {                                    \
	    .table = &ct_##name##_table, .needs = needs_, .from = from_}

ENTRY(accesses, CT_STUDY(access), accesses);
ENTRY(other_accesses, CT_STUDY(access), accesses);
ENTRY(access_totals, CT_STUDY(access), accesses);
ENTRY(branches, CT_STUDY(branches), branches);
ENTRY(branch_kernels, CT_STUDY(branches), branches);
ENTRY(access_kernels, CT_STUDY(access), accesses);
ENTRY(access_objects, CT_STUDY(access), accesses);
ENTRY(access_widths, CT_STUDY(access), accesses);
ENTRY(access_launches, CT_STUDY(access), accesses);
ENTRY(access_heat, CT_STUDY(access), accesses);
ENTRY(hot_addresses, CT_STUDY(access), accesses);
ENTRY(model_kernels, CT_STUDY(model), model);
ENTRY(model_changes, CT_STUDY(model), model);
ENTRY(model_points, CT_STUDY(model), model);
ENTRY(model_ceilings, CT_STUDY(model), model);
ENTRY(value_lines, CT_STUDY(values), values);
ENTRY(value_sets, CT_STUDY(values), values);
ENTRY(value_summaries, CT_STUDY(values), values);
ENTRY(value_contexts, CT_STUDY(values), values);
ENTRY(value_launches, CT_STUDY(values), values);
ENTRY(value_transfers, CT_STUDY(values), values);
ENTRY(value_lifetimes, CT_STUDY(values), values);
ENTRY(value_memory, CT_STUDY(values), values);
ENTRY(value_flows, CT_STUDY(values), values);

ENTRY(findings, CT_STUDY_FINDINGS, findings);

#define SECTION(name, needs_)                                                                      \
	const struct ct_export_entry ct_export_entry_##name = {                                    \
	    .table = &ct_##name##_table, .needs = needs_, .is_section = true}

SECTION(needless_calls, CT_STUDY(ffm));
SECTION(races, CT_STUDY(races) | CT_IS_ON_REQUEST);
SECTION(bank_conflicts, CT_STUDY(banks));
SECTION(blame_variables, CT_STUDY(blame));
SECTION(call_functions, CT_STUDY(calls));
SECTION(call_waits, CT_STUDY(calls));
SECTION(kernel_times, CT_STUDY(calls));
SECTION(copy_times, CT_STUDY(calls));
SECTION(range_times, CT_STUDY(calls));
SECTION(cta_kernels, CT_STUDY(ctas));
SECTION(sample_lines, CT_STUDY(samples));
SECTION(wait_causes, CT_STUDY(causes));

/* clang-format off */
const struct ct_table_def *const ct_other_tables[] = {
    &ct_race_totals_table,
    &ct_reuse_table,
    &ct_reuse_curves_table,
    &ct_call_totals_table,
    &ct_call_parts_table,
    &ct_inner_functions_table,
    &ct_call_threads_table,
    &ct_call_streams_table,
    &ct_call_paths_table,
    &ct_call_warnings_table,
    &ct_cta_launches_table,
    &ct_cta_course_table,
    &ct_blame_totals_table,
    &ct_blame_waits_table,
    &ct_blame_objects_table,
    &ct_blame_launches_table,
    &ct_blame_functions_table,
    &ct_sample_totals_table,
    &ct_sample_kernels_table,
    &ct_ffm_totals_table,
    &ct_needless_functions_table,
    &ct_needless_sequences_table,
    &ct_unknown_waits_table,
    &ct_call_profile_table,
    &ct_ffm_stages_table,
    &ct_compared_runs_table,
    &ct_compared_doubts_table,
    &ct_compared_problems_table,
    &ct_compared_calls_table,
    &ct_model_machine_table,
    &ct_model_parameters_table,
    &ct_model_instructions_table,
    &ct_model_simulations_table,
    &ct_model_gpuperf_table,
    &ct_model_balances_table,
    &ct_model_caches_table,
    &ct_model_cache_lines_table,
    &ct_model_nodes_table,
    &ct_model_arcs_table,
    &ct_model_ranking_table,
    &ct_model_errors_table,
    &ct_value_totals_table,
    &ct_value_sums_table,
    &ct_value_advice_table,
    &ct_value_gaps_table,
    &ct_value_peaks_table,
    &ct_value_objects_table,
    &ct_value_nodes_table,
    &ct_value_pairs_table,
    NULL,
};
/* clang-format on */
