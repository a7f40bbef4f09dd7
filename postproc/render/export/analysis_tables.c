/* SPDX-License-Identifier: Apache-2.0 */
/* Findings, and tables of commands alone. */
#include "postproc/analysis/calls/tables.h"
#include "postproc/analysis/ffm/findings/tables.h"
#include "postproc/analysis/model/tables.h"
#include "postproc/analysis/reuse/tables.h"
#include "postproc/analysis/values/findings/tables.h"
#include "postproc/comparison/tables.h"
#include "postproc/problems/tables.h"
#include "postproc/render/base/host_path.h"
#include "postproc/render/diff/diff.h"
#include "postproc/render/export/tables.h"
#include "postproc/render/verify/verify.h"
#include "postproc/tables/findings.h"

static const void *findings(const struct ct_export *export)
{
	return export->findings;
}

const struct ct_export_entry ct_export_entry_findings = {
    .table = &ct_findings_table, .needs = CT_STUDY_FINDINGS, .from = findings};

static const void *problems(const struct ct_export *export)
{
	return &export->verdict->problems;
}

const struct ct_export_entry ct_export_entry_problems = {
    .table = &ct_problems_table, .needs = CT_STUDY_FINDINGS, .from = problems};

static const void *suppressed(const struct ct_export *export)
{
	return export->verdict;
}

const struct ct_export_entry ct_export_entry_suppressed_problems = {
    .table = &ct_suppressed_problems_table, .needs = CT_STUDY_FINDINGS, .from = suppressed};

/* clang-format off */
const struct ct_table_def *const ct_other_tables[] = {
    &ct_reuse_table,
    &ct_reuse_curves_table,
    &ct_call_paths_table,
    &ct_call_warnings_table,
    &ct_needless_functions_table,
    &ct_needless_sequences_table,
    &ct_compared_runs_table,
    &ct_compared_problems_table,
    &ct_compared_doubts_table,
    &ct_compared_kernels_table,
    &ct_compared_lines_table,
    &ct_compared_calls_table,
    &ct_model_nodes_table,
    &ct_model_arcs_table,
    &ct_model_ranking_table,
    &ct_model_errors_table,
    &ct_address_history_table,
    &ct_scaling_totals_table,
    &ct_scaling_table,
    &ct_launch_paths_table,
    &ct_host_paths_table,
    &ct_verify_totals_table,
    &ct_diff_totals_table,
    &ct_diff_launches_table,
    NULL,
};
/* clang-format on */
