/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of ctpost info, in an export. */
#include "postproc/render/export/tables.h"

static const void *meta(const struct ct_export *export)
{
	return export->meta;
}

static const void *facts(const struct ct_export *export)
{
	return &export->facts;
}

#define OF_INFO(name_, needs_, from_)                                                              \
	const struct ct_export_entry ct_export_entry_##name_ = {                                   \
	    .table = &ct_##name_##_table, .needs = needs_, .from = from_}

OF_INFO(meta, CT_IS_ALWAYS, meta);
OF_INFO(trace_totals, 0, facts);
OF_INFO(processes, 0, facts);
OF_INFO(devices, 0, facts);
OF_INFO(units, 0, facts);
OF_INFO(kernels, 0, facts);
OF_INFO(launches, 0, facts);
OF_INFO(launch_totals, CT_NEEDS_SCAN, facts);
OF_INFO(launch_counts, CT_NEEDS_SCAN, facts);
OF_INFO(kernel_counts, CT_NEEDS_SCAN, facts);
OF_INFO(total_counts, CT_NEEDS_SCAN, facts);
OF_INFO(transfers_host, 0, facts);
OF_INFO(objects, 0, facts);
OF_INFO(sites, CT_NEEDS_SCAN, facts);
OF_INFO(site_counts, CT_NEEDS_SCAN, facts);
OF_INFO(coverage, 0, facts);
OF_INFO(regions, CT_NEEDS_SCAN, facts);
OF_INFO(estimates, CT_NEEDS_SCAN, facts);
OF_INFO(counted_sites, 0, facts);
OF_INFO(counted_objects, 0, facts);
OF_INFO(losses, 0, facts);
OF_INFO(warnings, 0, facts);
