/* SPDX-License-Identifier: Apache-2.0 */
/* A study for a terminal: where figures come from, a list of problems, a profile of calls. */
#include "base/quantity.h"
#include "postproc/analysis/ffm/place.h"
#include "postproc/render/ffm/cells.h"
#include "postproc/render/ffm/ffm.h"
#include "postproc/tables/wrap.h"
#include <errno.h>
#include <stdlib.h>

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

	fprintf(out, "A run of %s", ct_ffm_time((int64_t)study->run_ns, time[0]));
	if (study->processes > 1)
		fprintf(out, " of %zu processes", study->processes);
	fputc('\n', out);
	if (verdicts->has_uses)
		fprintf(out,
			"Waits: %s unnecessary, %s misplaced, %s needed, of %s it is not known",
			ct_number(verdicts->unnecessary, number[0]),
			ct_number(verdicts->misplaced, number[1]),
			ct_number(verdicts->needed, number[2]),
			ct_number(verdicts->unknown, number[3]));
	if (verdicts->has_uses && study->unknown_ns)
		fprintf(out, " (%s, %s of the run)",
			ct_ffm_time((int64_t)study->unknown_ns, time[1]),
			ct_ffm_percent(study->unknown_ns, study->run_ns, share));
	if (verdicts->has_uses)
		fputc('\n', out);
	if (verdicts->has_contents)
		fprintf(out, "Copies: %s of %s moved what was there already\n",
			ct_number(verdicts->repeated, number[4]),
			ct_number(verdicts->copies, number[5]));
	ct_ffm_study_stages(study, stage);
	for (size_t i = 0; i < CT_FFM_STAGES; i++)
		write_stage(out, study, &stage[i], view);
	if (!study->entries)
		return;
	ct_ffm_percent(ct_ffm_worth(study->expected_ns, study->replayed_ns, true), study->run_ns,
		       share);
	fprintf(out, "All fixed together: %s (%s of the run) by replay, bound %s\n",
		ct_ffm_time(study->replayed_ns, time[1]), share,
		ct_ffm_time((int64_t)study->expected_ns, time[2]));
}

static int write_profile(FILE *out, const struct ct_ffm_study *study,
			 const struct ct_ffm_view *view)
{
	static const struct ct_column column[] = {
	    {"function", .least = 16}, {"calls", .right = 1},  {"time", .right = 1},
	    {"share", .right = 1},     {"waited", .right = 1}, {"saves", .right = 1},
	    {"share", .right = 1},     {"bound", .right = 1},
	};
	struct ct_table *table;
	int err = ct_table_open(&table, column, sizeof(column) / sizeof(*column));

	if (err < 0)
		return err;
	for (size_t i = 0; i < study->profiled && i < view->rows; i++) {
		const struct ct_ffm_profiled *row = &study->profile[i];
		uint64_t worth = ct_ffm_worth(row->expected_ns, row->replayed_ns, row->is_replayed);

		ct_table_text(table, row->call);
		ct_table_number(table, row->count);
		ct_cell_time(table, row->call_ns);
		ct_cell_share(table, row->call_ns, study->run_ns);
		ct_cell_time(table, row->wait_ns);
		ct_cell_time(table, worth);
		ct_cell_share(table, worth, study->run_ns);
		ct_cell_time(table, row->expected_ns);
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

static int write_folds(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view)
{
	struct ct_ffm_folds folds;
	int err = ct_ffm_folds_init(&folds, study);

	if (err == 0)
		err = ct_ffm_write_folds(out, &folds, study, view);
	ct_ffm_folds_fini(&folds);
	return err;
}

static int write_sequences(FILE *out, const struct ct_ffm_study *study,
			   const struct ct_ffm_view *view)
{
	struct ct_ffm_sequences sequences;
	int err = ct_ffm_sequences_init(&sequences, study);

	if (err == 0)
		err = ct_ffm_write_sequences(out, &sequences, view);
	ct_ffm_sequences_fini(&sequences);
	return err;
}

int ct_ffm_write(FILE *out, const struct ct_ffm_study *study, const struct ct_ffm_view *view)
{
	int err;

	write_head(out, study, view);
	fputc('\n', out);
	if (!study->entries) {
		fputs("No problems\n", out);
		err = 0;
	} else if (view->grouping == CT_FFM_BY_FUNCTION) {
		err = write_folds(out, study, view);
	} else if (view->grouping == CT_FFM_BY_SEQUENCE) {
		err = write_sequences(out, study, view);
	} else {
		err = ct_ffm_write_entries(out, study, view);
	}
	if (err == 0 && study->unknowns) {
		fputc('\n', out);
		err = ct_ffm_write_unknown(out, study, view);
	}
	if (err == 0)
		err = write_profile(out, study, view);
	return err == 0 && ferror(out) ? -EIO : err;
}
