/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of two studies beside each other, and why the comparison may not be sound. */
#include "postproc/analysis/ffm/findings/compared.h"
#include "base/quantity.h"
#include "postproc/analysis/ffm/kinds.h"
#include "postproc/analysis/ffm/place.h"
#include "postproc/tables/amount.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

struct row_compared_runs {
	const struct ct_ffm_comparison *c;
	const char *const *name;
};

struct row_compared_doubts {
	uint64_t number;
	const char *text;
};

struct row_compared_problems {
	uint64_t number;
	const struct ct_ffm_comparison *c;
	const struct ct_ffm_compared *p;
	const struct ct_ffm_entry *entry; /* of before, if it was there */
	const struct ct_code_frame *frame;
	char place[CT_FFM_PLACE_BYTES];
};

#define row_compared_calls ct_ffm_compared_call

static uint64_t line_of(const struct ct_ffm_study *study, const struct ct_ffm_entry *entry)
{
	const struct ct_code_frame *frame =
	    entry ? ct_ffm_study_frame(study, entry->site.stack) : NULL;

	return frame && frame->line ? frame->line : CT_MISSING;
}

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/analysis/ffm/findings/compared.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/analysis/ffm/findings/compared.def"

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

static int rows_compared_runs(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ffm_beside *beside = from;

	return ct_table_put_row(sink,
				&(struct row_compared_runs){beside->comparison, beside->name});
}

static int rows_compared_doubts(const void *from, struct ct_table_sink *sink)
{
	size_t count;
	char **text = ct_ffm_doubt_texts(((const struct ct_ffm_beside *)from)->comparison, &count);
	int err = text ? 0 : -ENOMEM;

	for (size_t i = 0; i < count; i++) {
		if (err == 0)
			err = ct_table_put_row(sink, &(struct row_compared_doubts){i, text[i]});
		free(text[i]);
	}
	free(text);
	return err;
}

static int rows_compared_problems(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ffm_comparison *comparison =
	    ((const struct ct_ffm_beside *)from)->comparison;
	int err = 0;

	for (size_t i = 0; i < comparison->entries && err == 0; i++) {
		const struct ct_ffm_compared *compared = &comparison->entry[i];
		struct row_compared_problems row = {
		    .number = i,
		    .c = comparison,
		    .p = compared,
		    .entry = compared->before ? compared->before : compared->after,
		};

		row.frame = ct_ffm_study_frame(comparison->study[compared->before ? 0 : 1],
					       row.entry->site.stack);
		ct_ffm_place(row.frame, row.place);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_compared_calls(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ffm_comparison *comparison =
	    ((const struct ct_ffm_beside *)from)->comparison;
	int err = 0;

	for (size_t i = 0; i < comparison->calls && err == 0; i++)
		err = ct_table_put_row(sink, &comparison->call[i]);
	return err;
}

const struct ct_table_def ct_compared_runs_table = {CT_TABLE_PARTS(compared_runs, NULL)};
const struct ct_table_def ct_compared_doubts_table = {CT_TABLE_PARTS(compared_doubts, NULL)};
const struct ct_table_def ct_compared_problems_table = {CT_TABLE_SHOWN(compared_problems, NULL)};
const struct ct_table_def ct_compared_calls_table = {CT_TABLE_SHOWN(compared_calls, NULL)};
