/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that analyses describe, and what they need. */
#include "postproc/analysis/access/tables.h"
#include "postproc/analysis/banks/tables.h"
#include "postproc/analysis/blame/tables.h"
#include "postproc/analysis/branches/tables.h"
#include "postproc/analysis/calls/tables.h"
#include "postproc/analysis/causes/tables.h"
#include "postproc/analysis/ctas/tables.h"
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
	return export->access;
}

static const void *model(const struct ct_export *export)
{
	return export->model;
}

static const void *values(const struct ct_export *export)
{
	return export->values;
}

#define ENTRY(name, needs_, from_)                                                                 \
	const struct ct_export_entry ct_export_entry_##name = {                                    \
	    .table = &ct_##name##_table, .needs = needs_, .from = from_}

ENTRY(accesses, CT_NEEDS_ACCESS | CT_IS_ON_REQUEST, accesses);
ENTRY(other_accesses, CT_NEEDS_ACCESS | CT_IS_ON_REQUEST, accesses);
ENTRY(access_kernels, CT_NEEDS_ACCESS | CT_IS_ON_REQUEST, accesses);
ENTRY(access_objects, CT_NEEDS_ACCESS | CT_IS_ON_REQUEST, accesses);
ENTRY(access_widths, CT_NEEDS_ACCESS | CT_IS_ON_REQUEST, accesses);
ENTRY(access_launches, CT_NEEDS_ACCESS | CT_IS_ON_REQUEST, accesses);
ENTRY(access_heat, CT_NEEDS_ACCESS | CT_IS_ON_REQUEST, accesses);
ENTRY(hot_addresses, CT_NEEDS_ACCESS | CT_IS_ON_REQUEST, accesses);
ENTRY(model_kernels, CT_NEEDS_MODEL | CT_IS_ON_REQUEST, model);
ENTRY(model_changes, CT_NEEDS_MODEL | CT_IS_ON_REQUEST, model);
ENTRY(model_points, CT_NEEDS_MODEL | CT_IS_ON_REQUEST, model);
ENTRY(model_ceilings, CT_NEEDS_MODEL | CT_IS_ON_REQUEST, model);
ENTRY(value_lines, CT_NEEDS_VALUES, values);
ENTRY(value_sets, CT_NEEDS_VALUES, values);
ENTRY(value_summaries, CT_NEEDS_VALUES, values);
ENTRY(value_contexts, CT_NEEDS_VALUES, values);
ENTRY(value_launches, CT_NEEDS_VALUES, values);
ENTRY(value_transfers, CT_NEEDS_VALUES, values);
ENTRY(value_lifetimes, CT_NEEDS_VALUES, values);
ENTRY(value_memory, CT_NEEDS_VALUES, values);
ENTRY(value_flows, CT_NEEDS_VALUES, values);

const struct ct_table_def *const ct_other_tables[] = {
    &ct_findings_table,       &ct_access_totals_table,
    &ct_branches_table,       &ct_branch_kernels_table,
    &ct_races_table,          &ct_race_totals_table,
    &ct_reuse_table,          &ct_reuse_curves_table,
    &ct_bank_conflicts_table, &ct_blame_variables_table,
    &ct_call_functions_table, &ct_call_waits_table,
    &ct_kernel_times_table,   &ct_copy_times_table,
    &ct_range_times_table,    &ct_cta_kernels_table,
    &ct_sample_lines_table,   &ct_wait_causes_table,
    &ct_needless_calls_table, NULL,
};
