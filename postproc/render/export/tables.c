/* SPDX-License-Identifier: Apache-2.0 */
/* All tables that can be exported. */
#include "postproc/render/export/tables.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Those that others refer to come first. */
/* clang-format off */
#define CT_TABLES(T) \
	T(meta) T(schema) T(trace_totals) T(processes) T(devices) T(units) T(kernels) T(launches) T(launch_totals) T(launch_counts) \
	T(kernel_counts) T(total_counts) T(transfers_host) T(objects) T(sites) T(site_counts) T(coverage) T(regions) T(estimates) \
	T(counted_sites) T(counted_objects) \
	T(threads) T(stacks) T(frames) T(calls) T(activities) T(waits) T(uses) T(cta_times) T(looks) T(samples) T(losses) T(warnings) \
	T(supersteps) T(comm_totals) T(kernel_volumes) T(cta_volumes) T(sm_volumes) T(transfers) \
	T(transfer_sizes) T(distances) T(strides) T(stride_spreads) T(cta_figures) T(degrees) T(bisection) \
	T(density) T(kernel_pairs) T(line_pairs) T(object_flows) T(history) T(findings) T(problems) T(suppressed_problems)
/* clang-format on */

#define DECLARE(name) extern const struct ct_export_entry ct_export_entry_##name;
CT_TABLES(DECLARE)

#define LIST(name) &ct_export_entry_##name,
static const struct ct_export_entry *const own[] = {CT_TABLES(LIST)};
#define OWN (sizeof(own) / sizeof(*own))

static size_t count_tables(const struct ct_finder *finder)
{
	size_t count = 0;

	while (finder->tables && finder->tables[count].table)
		count++;
	return count;
}

static void add_tables(struct ct_export_entries *entries, size_t analysis)
{
	const struct ct_finder_table *table = ct_finders[analysis]->tables;
	const bool is_asked = analysis == CT_ANALYSIS_races || analysis == CT_ANALYSIS_check;
	const uint64_t asked = is_asked ? CT_IS_ON_REQUEST : 0;

	for (size_t i = 0; i < count_tables(ct_finders[analysis]); i++) {
		struct ct_export_entry *entry = &entries->of_analyses[entries->count - OWN];

		*entry = (struct ct_export_entry){
		    .table = table[i].table,
		    .needs = (uint64_t)1 << analysis | asked,
		    .of = &table[i],
		    .analysis = (enum ct_analysis_number)analysis,
		};
		entries->list[entries->count++] = entry;
	}
}

int ct_export_entries_init(struct ct_export_entries *entries)
{
	size_t count = 0;

	for (size_t a = 0; a < CT_ANALYSES; a++)
		count += count_tables(ct_finders[a]);
	*entries = (struct ct_export_entries){
	    .list = calloc(OWN + count + 1, sizeof(*entries->list)),
	    .of_analyses = calloc(count + 1, sizeof(*entries->of_analyses)),
	};
	if (!entries->list || !entries->of_analyses)
		return -ENOMEM;
	memcpy(entries->list, own, sizeof(own));
	entries->count = OWN;
	for (size_t a = 0; a < CT_ANALYSES; a++)
		add_tables(entries, a);
	return 0;
}

void ct_export_entries_fini(struct ct_export_entries *entries)
{
	free(entries->list);
	free(entries->of_analyses);
	*entries = (struct ct_export_entries){.count = 0};
}

static const void *made_from(const struct ct_export *export, const struct ct_export_entry *entry)
{
	if (entry->of)
		return ct_finder_rows_from(ct_finders[entry->analysis], entry->of,
					   export->job[entry->analysis], export->inquiry);
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
