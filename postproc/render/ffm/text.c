/* SPDX-License-Identifier: Apache-2.0 */
/* A study for a terminal. */
#include "base/quantity.h"
#include "postproc/render/base/wrap.h"
#include "postproc/render/calls/cells.h"
#include "postproc/render/ffm/ffm.h"
#include "postproc/render/ffm/place.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static const char *time_text(int64_t ns, char buffer[CT_AMOUNT_BYTES])
{
	return ct_amount_text(&(struct ct_amount){(double)ns / 1e9, "s"}, buffer);
}

static void cell_signed_time(struct ct_table *table, int64_t ns)
{
	ct_cell_amount(table, (double)ns / 1e9, "s");
}

/* "80 of 100", or "100" if it is all. */
static void cell_count(struct ct_table *table, uint64_t count, uint64_t all)
{
	char number[2][CT_NUMBER_BYTES], text[3 * CT_NUMBER_BYTES];

	if (count == all)
		ct_table_number(table, count);
	else {
		snprintf(text, sizeof(text), "%s of %s", ct_number(count, number[0]),
			 ct_number(all, number[1]));
		ct_table_text(table, text);
	}
}

static void write_stage(FILE *out, const struct ct_ffm_study *study,
			const struct ct_ffm_stage *stage, const struct ct_ffm_view *view)
{
	char number[2][CT_NUMBER_BYTES], place[CT_FFM_PLACE_BYTES];
	char *line;
	int bytes;

	if (!stage->trace || stage->matched == stage->calls)
		return;
	ct_ffm_place(ct_ffm_study_frame(study, stage->differs.stack), place);
	bytes = asprintf(&line,
			 "The run of %s made other calls: %s of %s are the same. The first that "
			 "differs is %s at %s. Nothing is known of the others.",
			 stage->name, ct_number(stage->matched, number[0]),
			 ct_number(stage->calls, number[1]),
			 stage->differs.call ? stage->differs.call : "the end of a thread",
			 *place ? place : "an unknown place");
	if (bytes < 0)
		return;
	ct_write_wrapped(out, line, 0, view->style.width);
	free(line);
}

static void write_head(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view)
{
	const struct ct_ffm_verdicts *verdicts = &study->verdicts;
	struct ct_ffm_stage stage[CT_FFM_STAGES];
	char number[6][CT_NUMBER_BYTES], time[3][CT_AMOUNT_BYTES], share[CT_AMOUNT_BYTES];

	fprintf(out, "A run of %s", time_text((int64_t)study->run_ns, time[0]));
	if (study->processes > 1)
		fprintf(out, " of %zu processes", study->processes);
	fputc('\n', out);
	if (verdicts->has_uses)
		fprintf(out,
			"Waits: %s unnecessary, %s misplaced, %s needed, of %s it is not known\n",
			ct_number(verdicts->unnecessary, number[0]),
			ct_number(verdicts->misplaced, number[1]),
			ct_number(verdicts->needed, number[2]),
			ct_number(verdicts->unknown, number[3]));
	if (verdicts->has_contents)
		fprintf(out, "Copies: %s of %s moved what was there already\n",
			ct_number(verdicts->repeated, number[4]),
			ct_number(verdicts->copies, number[5]));
	ct_ffm_study_stages(study, stage);
	for (size_t i = 0; i < CT_FFM_STAGES; i++)
		write_stage(out, study, &stage[i], view);
	if (!study->entries)
		return;
	ct_amount_text(&(struct ct_amount){study->run_ns ? 100.0 * (double)study->expected_ns /
							       (double)study->run_ns
							 : 0.0,
					   "%"},
		       share);
	fprintf(out, "All fixed together: %s (%s of the run), by replay %s\n",
		time_text((int64_t)study->expected_ns, time[1]), share,
		time_text(study->replayed_ns, time[2]));
}

static void put_entry(struct ct_table *table, const struct ct_ffm_study *study, size_t number)
{
	const struct ct_ffm_entry *entry = &study->entry[number];
	const struct ct_code_frame *frame = ct_ffm_study_frame(study, entry->site.stack);
	char place[CT_FFM_PLACE_BYTES];

	ct_table_number(table, number + 1);
	ct_cell_time(table, entry->expected_ns);
	ct_cell_share(table, entry->expected_ns, study->run_ns);
	if (entry->is_replayed)
		cell_signed_time(table, entry->replayed_ns);
	else
		ct_table_text(table, CT_CELL_NONE);
	ct_table_text(table, ct_ffm_kind_name(entry->kind));
	ct_table_text(table, entry->site.call);
	ct_table_name(table, frame ? frame->function : "");
	ct_table_text(table, ct_ffm_place(frame, place));
	cell_count(table, entry->site.count, entry->occurrences);
	ct_cell_time(table, entry->call_ns);
}

static int write_problems(FILE *out, const struct ct_ffm_study *study,
			  const struct ct_ffm_view *view)
{
	static const struct ct_column column[] = {
	    {"#", .right = 1},
	    {"benefit", .right = 1},
	    {"share", .right = 1},
	    {"replay", .right = 1},
	    {.title = "problem"},
	    {.title = "call"},
	    {"function", .least = 8, .keep_start = 1},
	    {"at", .least = 12},
	    {"calls", .right = 1},
	    {"in calls", .right = 1},
	};
	struct ct_table *table;
	int err;

	if (!study->entries) {
		fprintf(out, "\nNo problems\n");
		return 0;
	}
	err = ct_table_open(&table, column, sizeof(column) / sizeof(*column));
	if (err < 0)
		return err;
	ct_table_detail(table, 6);
	ct_table_detail(table, 9);
	for (size_t i = 0; i < study->entries && i < view->rows; i++)
		put_entry(table, study, i);
	fputc('\n', out);
	ct_emphasise(out, &view->style, CT_BOLD, "Problems (they overlap: no sums)");
	fputc('\n', out);
	err = ct_table_write(table, out, &view->style);
	if (study->entries > view->rows)
		fprintf(out, "%zu more (--rows=all)\n", study->entries - view->rows);
	ct_table_close(table);
	return err < 0 ? err : 0;
}

static int write_profile(FILE *out, const struct ct_ffm_study *study,
			 const struct ct_ffm_view *view)
{
	static const struct ct_column column[] = {
	    {"function", .least = 16}, {"calls", .right = 1},  {"time", .right = 1},
	    {"share", .right = 1},     {"waited", .right = 1}, {"benefit", .right = 1},
	    {"share", .right = 1},
	};
	struct ct_table *table;
	int err = ct_table_open(&table, column, sizeof(column) / sizeof(*column));

	if (err < 0)
		return err;
	for (size_t i = 0; i < study->profiled && i < view->rows; i++) {
		const struct ct_ffm_profiled *row = &study->profile[i];

		ct_table_text(table, row->call);
		ct_table_number(table, row->count);
		ct_cell_time(table, row->call_ns);
		ct_cell_share(table, row->call_ns, study->run_ns);
		ct_cell_time(table, row->wait_ns);
		ct_cell_time(table, row->expected_ns);
		ct_cell_share(table, row->expected_ns, study->run_ns);
	}
	fputc('\n', out);
	ct_emphasise(out, &view->style, CT_BOLD,
		     "What a profile of calls shows, and what is to be had");
	fputc('\n', out);
	err = ct_table_write(table, out, &view->style);
	if (study->profiled > view->rows)
		fprintf(out, "%zu more (--rows=all)\n", study->profiled - view->rows);
	ct_table_close(table);
	return err < 0 ? err : 0;
}

int ct_ffm_write(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view)
{
	int err;

	write_head(out, study, view);
	err = write_problems(out, study, view);
	if (err == 0)
		err = write_profile(out, study, view);
	return err == 0 && ferror(out) ? -EIO : err;
}
