/* SPDX-License-Identifier: Apache-2.0 */
/* Problems by call site: the seed's single points. */
#include "postproc/analysis/ffm/place.h"
#include "postproc/render/ffm/cells.h"
#include "postproc/render/ffm/ffm.h"

static void put_entry(struct ct_table *table, const struct ct_ffm_study *study, size_t number)
{
	const struct ct_ffm_entry *entry = &study->entry[number];
	const struct ct_code_frame *frame = ct_ffm_study_frame(study, entry->site.stack);
	const struct ct_ffm_benefit benefit = {entry->expected_ns, study->run_ns,
					       entry->replayed_ns, entry->is_replayed};
	char place[CT_FFM_PLACE_BYTES];

	ct_ffm_cells(table, number + 1, &benefit);
	ct_table_text(table, ct_ffm_kind_name(entry->kind));
	ct_table_text(table, entry->site.call);
	ct_table_name(table, frame ? frame->function : "");
	ct_table_text(table, ct_ffm_place(frame, place));
	ct_ffm_cell_count(table, entry->site.count, entry->occurrences);
	ct_cell_time(table, entry->call_ns);
}

/* What is left out of the list, and why. */
static void write_rest(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view,
		       size_t large)
{
	char time[CT_AMOUNT_BYTES];
	uint64_t calls = 0;

	if (large > view->rows)
		fprintf(out, "%zu more (--rows=all)\n", large - view->rows);
	for (size_t i = large; i < study->entries; i++)
		calls += study->entry[i].site.count;
	if (large < study->entries)
		fprintf(out,
			"%zu more with %llu calls are worth less than %.1f %% of the run each, the "
			"first %s (--all)\n",
			study->entries - large, (unsigned long long)calls,
			100.0 / CT_FFM_SMALL_PART,
			ct_ffm_time((int64_t)ct_ffm_entry_worth(&study->entry[large]), time));
}

int ct_ffm_write_entries(FILE *out, const struct ct_ffm_study *study,
			 const struct ct_ffm_view *view)
{
	static const struct ct_column column[] = {
	    CT_FFM_BENEFIT_COLUMNS,   {.title = "problem"},
	    {.title = "call"},        {"function", .least = 8, .keep_start = 1},
	    {"at", .least = 12},      {"calls", .right = 1},
	    {"in calls", .right = 1},
	};
	size_t large = view->is_all ? study->entries : ct_ffm_study_large(study);
	struct ct_table *table;
	int err = ct_table_open(&table, column, sizeof(column) / sizeof(*column));

	if (err < 0)
		return err;
	ct_table_detail(table, 6);
	ct_table_detail(table, 9);
	for (size_t i = 0; i < large && i < view->rows; i++)
		put_entry(table, study, i);
	ct_emphasise(out, &view->style, CT_BOLD, "Problems (they overlap: no sums)");
	fputc('\n', out);
	if (large)
		err = ct_table_write(table, out, &view->style);
	write_rest(out, study, view, large);
	ct_table_close(table);
	return err < 0 ? err : 0;
}
