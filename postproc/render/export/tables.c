/* SPDX-License-Identifier: Apache-2.0 */
/* All tables that can be exported. */
#include "postproc/render/export/tables.h"

/* Those that others refer to come first. */
/* clang-format off */
#define CT_TABLES(T) \
	T(meta) T(schema) T(trace_totals) T(processes) T(devices) T(units) T(kernels) T(launches) T(launch_totals) T(launch_counts) \
	T(kernel_counts) T(total_counts) T(transfers_host) T(objects) T(sites) T(site_counts) T(coverage) T(regions) T(estimates) \
	T(counted_sites) T(counted_objects) \
	T(threads) T(stacks) T(frames) T(calls) T(activities) T(waits) T(uses) T(cta_times) T(looks) T(samples) T(losses) T(warnings) \
	T(supersteps) T(comm_totals) T(kernel_volumes) T(cta_volumes) T(sm_volumes) T(transfers) \
	T(transfer_sizes) T(distances) T(strides) T(stride_spreads) T(cta_figures) T(degrees) T(bisection) \
	T(density) T(kernel_pairs) T(line_pairs) T(object_flows) T(history) T(findings) T(problems)
/* clang-format on */

#define DECLARE(name) extern const struct ct_export_entry ct_export_entry_##name;
CT_TABLES(DECLARE)

static const struct ct_export_entry *entries[CT_EXPORT_TABLES_MAX + 1];
static struct ct_export_entry of_analyses[CT_EXPORT_TABLES_MAX];

const struct ct_export_entry *const *ct_export_entries(void)
{
#define LIST(name) &ct_export_entry_##name,
	static const struct ct_export_entry *const own[] = {CT_TABLES(LIST) NULL};
	size_t count = 0;

	if (*entries)
		return entries;
	for (; own[count]; count++)
		entries[count] = own[count];
	for (size_t a = 0; a < CT_ANALYSES; a++) {
		const struct ct_finder_table *table = ct_finders[a]->tables;

		for (; table && table->table && count < CT_EXPORT_TABLES_MAX; table++) {
			of_analyses[count] = (struct ct_export_entry){
			    .table = table->table,
			    .needs =
				(uint64_t)1 << a | (a == CT_ANALYSIS_races ? CT_IS_ON_REQUEST : 0),
			    .of = table,
			    .analysis = (enum ct_analysis_number)a,
			};
			entries[count] = &of_analyses[count];
			count++;
		}
	}
	return entries;
}

static const void *made_from(const struct ct_export *export, const struct ct_export_entry *entry)
{
	if (entry->of)
		return entry->of->from(export->job[entry->analysis], export->inquiry);
	return entry->from ? entry->from(export) : export;
}

int ct_export_write(const struct ct_export *export, struct ct_table_sink *sink,
		    const struct ct_export_entry *const *chosen)
{
	int err = ct_table_sink_begin(sink);

	for (size_t i = 0; chosen[i] && err == 0; i++)
		err = ct_table_write_rows(sink, sink->tables[i], made_from(export, chosen[i]));
	if (err == 0)
		err = ct_table_sink_end(sink);
	return ct_table_sink_close(sink, err);
}
