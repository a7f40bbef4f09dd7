/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies for a terminal. */
#include "postproc/render/ffm/compare.h"
#include "base/quantity.h"
#include "postproc/analysis/ffm/place.h"
#include "postproc/render/calls/cells.h"
#include "postproc/tables/wrap.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#define DOUBTS 6u /* values of enum ct_ffm_doubt */

/* Signed, since what is saved may be less than nothing. */
static const char *time_text(int64_t ns, char buffer[CT_AMOUNT_BYTES])
{
	return ct_amount_text(&(struct ct_amount){(double)ns / 1e9, "s"}, buffer);
}

struct texts {
	char *text[DOUBTS];
	size_t count;
};

static void add_text(struct texts *texts, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_text(struct texts *texts, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(&texts->text[texts->count], format, arguments) >= 0)
		texts->count++;
	va_end(arguments);
}

/* Each function whose calls are fewer than what is gone explains; copies that are more. */
static void add_calls(struct texts *texts, const struct ct_ffm_comparison *comparison)
{
	for (size_t i = 0; i < comparison->calls; i++) {
		const struct ct_ffm_compared_call *call = &comparison->call[i];
		char number[2][CT_NUMBER_BYTES];

		if (call->count[1] >= call->count[0] || !ct_ffm_is_unexplained(comparison, call))
			continue;
		add_text(texts,
			 "%s was called %s times, now %s times, which what is gone does not "
			 "explain.",
			 call->call, ct_number(call->count[0], number[0]),
			 ct_number(call->count[1], number[1]));
		return;
	}
	add_text(texts, "More copies are made than before.");
}

char **ct_ffm_doubt_texts(const struct ct_ffm_comparison *comparison, size_t *count)
{
	char number[2][CT_NUMBER_BYTES], time[2][CT_AMOUNT_BYTES];
	struct texts *texts = calloc(1, sizeof(*texts));
	unsigned doubts = comparison->doubts;

	*count = 0;
	if (!texts)
		return NULL;
	if (doubts & CT_FFM_OTHER_COMMAND)
		add_text(texts, "The programs were run with different arguments.");
	if (doubts & CT_FFM_OTHER_PROCESSES)
		add_text(texts, "The programs ran as %zu and %zu processes.",
			 comparison->study[0]->processes, comparison->study[1]->processes);
	if (doubts & CT_FFM_OTHER_LAUNCHES)
		add_text(texts, "%s kernels ran, now %s: the programs do not do the same work.",
			 ct_number(comparison->kernels[0], number[0]),
			 ct_number(comparison->kernels[1], number[1]));
	if (doubts & CT_FFM_OTHER_KERNELS)
		add_text(texts, "Kernels took %s, now %s, which no mended wait or copy explains.",
			 time_text((int64_t)comparison->kernel_ns[0], time[0]),
			 time_text((int64_t)comparison->kernel_ns[1], time[1]));
	if (doubts & CT_FFM_OTHER_CALLS)
		add_calls(texts, comparison);
	if (doubts & CT_FFM_SMALL)
		add_text(texts,
			 "The runs differ by less than 1 %%, as two runs of the same program "
			 "do; each was run once.");
	*count = texts->count;
	return texts->text;
}

static void write_head(FILE *out, const struct ct_ffm_comparison *comparison,
		       const char *const name[2], const struct ct_ffm_view *view)
{
	char time[5][CT_AMOUNT_BYTES], share[CT_AMOUNT_BYTES];
	uint64_t run = comparison->study[0]->run_ns;
	size_t count;
	char **text = ct_ffm_doubt_texts(comparison, &count);

	fprintf(out, "Before  %s  %s\n", time_text((int64_t)run, time[0]), name[0]);
	fprintf(out, "After   %s  %s\n", time_text((int64_t)comparison->study[1]->run_ns, time[1]),
		name[1]);
	ct_amount_text(
	    &(struct ct_amount){run ? 100.0 * (double)comparison->saved_ns / (double)run : 0.0,
				"%"},
	    share);
	fprintf(out, "Saved   %s (%s of the run)\n", time_text(comparison->saved_ns, time[2]),
		share);
	fprintf(out, "What is gone was predicted to save %s, by replay %s\n",
		time_text((int64_t)comparison->predicted_ns, time[3]),
		time_text(comparison->replayed_ns, time[4]));
	for (size_t i = 0; i < count; i++) {
		fputs("Doubtful: ", out);
		ct_write_wrapped(out, text[i], 10, view->style.width);
		free(text[i]);
	}
	free(text);
}

static void put_entry(struct ct_table *table, const struct ct_ffm_comparison *comparison,
		      const struct ct_ffm_compared *compared)
{
	unsigned when = compared->before ? 0 : 1;
	const struct ct_ffm_entry *entry = compared->before ? compared->before : compared->after;
	const struct ct_code_frame *frame =
	    ct_ffm_study_frame(comparison->study[when], entry->site.stack);
	char place[CT_FFM_PLACE_BYTES];

	if (!compared->before)
		ct_table_text(table, "new");
	else
		ct_table_text(table, compared->after ? "remains" : "gone");
	if (compared->before)
		ct_cell_time(table, ct_ffm_entry_worth(compared->before));
	else
		ct_table_text(table, CT_CELL_NONE);
	if (compared->after)
		ct_cell_time(table, ct_ffm_entry_worth(compared->after));
	else
		ct_table_text(table, CT_CELL_NONE);
	ct_table_text(table, ct_ffm_kind_name(entry->kind));
	ct_table_text(table, entry->site.call);
	ct_table_name(table, frame ? frame->function : "");
	ct_table_text(table, ct_ffm_place(frame, place));
	ct_table_number(table, compared->before ? compared->before->site.count : 0);
	ct_table_number(table, compared->after ? compared->after->site.count : 0);
}

static int write_entries(FILE *out, const struct ct_ffm_comparison *comparison,
			 const struct ct_ffm_view *view)
{
	static const struct ct_column column[] = {
	    {.title = "problem"}, {"benefit", .right = 1},
	    {"now", .right = 1},  {.title = "kind"},
	    {.title = "call"},    {"function", .least = 8, .keep_start = 1},
	    {"at", .least = 12},  {"calls", .right = 1},
	    {"now", .right = 1},
	};
	struct ct_table *table;
	int err = ct_table_open(&table, column, sizeof(column) / sizeof(*column));

	if (err < 0)
		return err;
	ct_table_detail(table, 5);
	for (size_t i = 0; i < comparison->entries && i < view->rows; i++)
		put_entry(table, comparison, &comparison->entry[i]);
	fputc('\n', out);
	ct_emphasise(out, &view->style, CT_BOLD, "Problems (they overlap: no sums)");
	fputc('\n', out);
	err = ct_table_write(table, out, &view->style);
	if (comparison->entries > view->rows)
		fprintf(out, "%zu more (--rows=all)\n", comparison->entries - view->rows);
	ct_table_close(table);
	return err < 0 ? err : 0;
}

static int write_calls(FILE *out, const struct ct_ffm_comparison *comparison,
		       const struct ct_ffm_view *view)
{
	static const struct ct_column column[] = {
	    {"function", .least = 16}, {"calls", .right = 1}, {"now", .right = 1},
	    {"time", .right = 1},      {"now", .right = 1},   {"waited", .right = 1},
	    {"now", .right = 1},       {"less", .right = 1},  {"predicted", .right = 1},
	};
	struct ct_table *table;
	int err = ct_table_open(&table, column, sizeof(column) / sizeof(*column));

	if (err < 0)
		return err;
	for (size_t i = 0; i < comparison->calls && i < view->rows; i++) {
		const struct ct_ffm_compared_call *call = &comparison->call[i];

		ct_table_text(table, call->call);
		ct_table_number(table, call->count[0]);
		ct_table_number(table, call->count[1]);
		ct_cell_time(table, call->call_ns[0]);
		ct_cell_time(table, call->call_ns[1]);
		ct_cell_time(table, call->wait_ns[0]);
		ct_cell_time(table, call->wait_ns[1]);
		ct_cell_amount(table, ((double)call->call_ns[0] - (double)call->call_ns[1]) / 1e9,
			       "s");
		ct_cell_time(table, call->predicted_ns);
	}
	fputc('\n', out);
	ct_emphasise(out, &view->style, CT_BOLD,
		     "Time in calls; waits that are gone may be in others now");
	fputc('\n', out);
	err = ct_table_write(table, out, &view->style);
	if (comparison->calls > view->rows)
		fprintf(out, "%zu more (--rows=all)\n", comparison->calls - view->rows);
	ct_table_close(table);
	return err < 0 ? err : 0;
}

int ct_ffm_write_comparison(FILE *out, const struct ct_ffm_comparison *comparison,
			    const char *const name[2], const struct ct_ffm_view *view)
{
	int err;

	write_head(out, comparison, name, view);
	err = write_entries(out, comparison, view);
	if (err == 0)
		err = write_calls(out, comparison, view);
	return err == 0 && ferror(out) ? -EIO : err;
}
