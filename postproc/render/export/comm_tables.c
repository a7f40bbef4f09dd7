/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of how CTAs and kernels communicate, and what they need. */
#include "postproc/analysis/comm/tables/tables.h"
#include "postproc/render/export/tables.h"

static const void *shown(const struct ct_export *export)
{
	return &export->shown;
}

static uint64_t count_cta_volumes(const struct ct_export *export)
{
	return ct_comm_count_cta_volumes(export->shown.figures);
}

static uint64_t count_transfers(const struct ct_export *export)
{
	return export->shown.figures->volume.transfers;
}

#define LARGE(name, needs_, count_)                                                                \
	const struct ct_export_entry ct_export_entry_##name = {                                    \
	    .table = &ct_##name##_table, .needs = needs_, .from = shown, .count = count_}
#define ENTRY(name, needs_) LARGE(name, needs_, NULL)

ENTRY(supersteps, CT_NEEDS_COMM);
ENTRY(comm_totals, CT_NEEDS_COMM);
ENTRY(kernel_volumes, CT_NEEDS_COMM);
LARGE(cta_volumes, CT_NEEDS_COMM | CT_NEEDS_CTAS | CT_IS_LARGE, count_cta_volumes);
ENTRY(sm_volumes, CT_NEEDS_COMM | CT_NEEDS_CTAS);
LARGE(transfers, CT_NEEDS_COMM | CT_NEEDS_TRANSFERS | CT_IS_LARGE, count_transfers);
ENTRY(transfer_sizes, CT_NEEDS_COMM);
ENTRY(distances, CT_NEEDS_COMM);
ENTRY(strides, CT_NEEDS_COMM);
ENTRY(stride_spreads, CT_NEEDS_COMM);
ENTRY(cta_figures, CT_NEEDS_COMM);
ENTRY(degrees, CT_NEEDS_COMM);
ENTRY(bisection, CT_NEEDS_COMM);
ENTRY(density, CT_NEEDS_COMM);
ENTRY(kernel_pairs, CT_NEEDS_COMM);
ENTRY(line_pairs, CT_NEEDS_COMM);
ENTRY(object_flows, CT_NEEDS_COMM);
