/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of what a trace says and of what was counted in it: of ctpost info, and of export. */
#ifndef CT_POSTPROC_RENDER_INFO_TABLES_H
#define CT_POSTPROC_RENDER_INFO_TABLES_H

#include "postproc/analysis/totals/estimate.h"
#include "postproc/analysis/totals/totals.h"
#include "postproc/facts/filter.h"
#include "postproc/facts/numbered.h"
#include "postproc/facts/summary.h"
#include "postproc/symbols/paths.h"
#include "postproc/tables/table.h"

/* These tables are made from this. */
struct ct_trace_facts {
	const struct ct_trace *trace;
	const struct ct_filter *filter; /* of launches and what they did; NULL: all */
	const struct ct_summary *summary;
	const struct ct_numbered_kernels *kernels;
	const struct ct_host_paths *paths; /* NULL: not asked for, or not known */
	uint64_t start_ns;                 /* base/start.h */
	/* Tables of what was counted have this: of the launches that pass. */
	const struct ct_totals *totals;
	const struct ct_estimates *estimates; /* NULL: nothing is sampled, or not all shown */
};

/* These show what the trace says. */
extern const struct ct_table_def ct_trace_totals_table, ct_processes_table, ct_devices_table,
    ct_units_table, ct_kernels_table, ct_launches_table, ct_transfers_host_table, ct_objects_table,
    ct_sites_table, ct_coverage_table, ct_losses_table, ct_warnings_table;

/* These show what was counted, and need totals. */
extern const struct ct_table_def ct_launch_totals_table, ct_launch_counts_table,
    ct_kernel_counts_table, ct_total_counts_table, ct_site_counts_table, ct_regions_table,
    ct_estimates_table;

/* These show what the device counted, of tiers that have no records; empty if the trace has no
 * such launch. */
extern const struct ct_table_def ct_counted_sites_table, ct_counted_objects_table;

/* Facts about the whole, of which a table is made as they are; ends with key NULL. */
struct ct_meta_pair {
	const char *key;
	const char *value;
};
extern const struct ct_table_def ct_meta_table;

#endif
