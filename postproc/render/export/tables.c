/* SPDX-License-Identifier: Apache-2.0 */
/* All tables that can be exported. */
#include "postproc/render/export/tables.h"

/* clang-format off */
/* Those that others refer to come first. */
#define CT_TABLES(T)                                                                               \
	T(meta) T(schema) T(processes) T(devices) T(units) T(kernels) T(launches) T(launch_counts)              \
	T(transfers_host) T(objects) T(sites) T(site_counts) T(coverage)                            \
	T(threads) T(stacks) T(frames) T(calls) T(activities) T(waits) T(uses) T(cta_times) T(looks) T(samples) T(losses) T(warnings)                \
	T(supersteps) T(totals) T(kernel_volumes) T(cta_volumes) T(sm_volumes) T(transfers)        \
	T(transfer_sizes) T(distances) T(strides) T(cta_figures) T(degrees) T(bisection)           \
	T(density) T(kernel_pairs) T(line_pairs) T(object_flows) T(accesses) T(other_accesses) T(access_kernels) T(access_objects)  \
	T(access_widths) T(access_launches) T(access_heat) T(hot_addresses) T(model_kernels) T(model_changes) T(model_points) T(model_ceilings) T(history)                           \
	T(value_lines) T(value_sets) T(value_summaries) T(value_contexts) T(value_launches) \
	T(value_transfers) T(value_lifetimes) T(value_memory) T(value_flows) \
	T(findings) T(needless_calls) T(access_totals) T(branches) T(branch_kernels) T(races) T(bank_conflicts) \
	T(blame_variables) T(call_functions) T(call_waits) T(kernel_times) T(copy_times) T(range_times) T(cta_kernels) T(sample_lines) T(wait_causes)
/* clang-format on */

#define DECLARE(name) extern const struct ct_export_entry ct_export_entry_##name;
CT_TABLES(DECLARE)

#define LIST(name) &ct_export_entry_##name,
const struct ct_export_entry *const ct_export_entries[] = {CT_TABLES(LIST) NULL};

int ct_export_tables(struct ct_export *export, const struct ct_export_entry *const *entries,
		     const struct ct_table_def **tables)
{
	size_t count = 0;

	for (size_t i = 0; entries[i]; i++)
		if (entries[i]->is_section &&
		    !ct_sections_of(export->sections, entries[i]->table) &&
		    !ct_sections_add_empty(export->sections, entries[i]->table))
			return export->sections->err;
	for (; entries[count]; count++)
		tables[count] = entries[count]->is_section
				    ? &ct_sections_of(export->sections, entries[count]->table)->kept
				    : entries[count]->table;
	tables[count] = NULL;
	return 0;
}

int ct_export_write(const struct ct_export *export, struct ct_table_sink *sink,
		    const struct ct_export_entry *const *entries)
{
	int err = ct_table_sink_begin(sink);

	for (size_t i = 0; entries[i] && err == 0; i++) {
		const void *from = export;

		if (entries[i]->is_section)
			from = ct_sections_of(export->sections, entries[i]->table);
		else if (entries[i]->from)
			from = entries[i]->from(export);
		err = ct_table_write_rows(sink, sink->tables[i], from);
	}
	if (err == 0)
		err = ct_table_sink_end(sink);
	return ct_table_sink_close(sink, err);
}
