/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in sentences: how many there are, where they come from, what is missing. */
#include "base/quantity.h"
#include "postproc/render/calls/calls.h"
#include "postproc/tables/amount.h"
#include "postproc/tables/wrap.h"
#include <errno.h>
#include <stdlib.h>

struct sheet {
	FILE *out;
	const struct ct_calls *calls;
	const struct ct_calls_view *view;
};

/* format: of the text. */
static void write_part_line(struct sheet *sheet, const struct ct_calls_part *part,
			    const char *format, const char *text)
{
	char *line, *words;

	if (asprintf(&words, format, text) < 0)
		return;
	if (sheet->calls->parts > 1 && asprintf(&line, "part %u: %s", part->part, words) >= 0) {
		free(words);
		words = line;
	}
	ct_write_wrapped(sheet->out, words, 0, sheet->view->style.width);
	free(words);
}

static void write_head(struct sheet *sheet)
{
	const struct ct_calls *calls = sheet->calls;
	uint64_t count = 0, inner = 0, activities = 0;
	char number[3][CT_NUMBER_BYTES], time[2][CT_AMOUNT_BYTES];

	for (size_t i = 0; i < calls->parts; i++) {
		count += calls->part[i].calls;
		inner += calls->part[i].inner;
		activities += calls->part[i].activities;
	}
	fprintf(sheet->out, "%s calls in %s of %s", ct_number(count, number[0]),
		ct_amount_text(&(struct ct_amount){(double)calls->calls_ns / 1e9, "s"}, time[0]),
		ct_amount_text(&(struct ct_amount){(double)calls->run_ns / 1e9, "s"}, time[1]));
	fprintf(sheet->out, " of the run, %s device activities", ct_number(activities, number[1]));
	if (inner)
		fprintf(sheet->out, "; within them %s of the driver%s", ct_number(inner, number[2]),
			sheet->view->with_inner ? "" : " (--inner)");
	fputc('\n', sheet->out);
}

/* Writes what the program's copies say about the clocks. */
static void write_clock(struct sheet *sheet, const struct ct_calls_part *part)
{
	char time[CT_AMOUNT_BYTES], copies[CT_NUMBER_BYTES], others[CT_NUMBER_BYTES], text[256];

	if (!part->clock_copies)
		return;
	snprintf(text, sizeof(text),
		 "%s of the host's, by the tightest of %s copies to the host that their calls "
		 "waited for%s%s%s",
		 ct_amount_text(&(struct ct_amount){(double)part->clock_error_ns / 1e9, "s"}, time),
		 ct_number(part->clock_copies, copies), part->clock_contradictions ? "; " : "",
		 part->clock_contradictions ? ct_number(part->clock_contradictions, others) : "",
		 part->clock_contradictions ? " lie outside of their calls" : "");
	write_part_line(sheet, part, "Times of devices are within %s", text);
}

static void write_notes(struct sheet *sheet)
{
	const struct ct_calls *calls = sheet->calls;
	char time[CT_AMOUNT_BYTES], number[CT_NUMBER_BYTES];

	for (size_t i = 0; i < calls->parts; i++) {
		const struct ct_calls_part *part = &calls->part[i];

		if (*part->source && (i == 0 || part->source != calls->part[i - 1].source))
			write_part_line(sheet, part, "Recorded by %s", part->source);
		else if (!*part->source && !part->calls && !part->activities)
			write_part_line(sheet, part, "%s", "No calls are recorded");
		if (*part->missing)
			write_part_line(sheet, part, "Not seen: %s", part->missing);
		write_clock(sheet, part);
	}
	if (calls->waits_are_bounds)
		ct_write_wrapped(
		    sheet->out,
		    "No device activities are recorded: all of the time in calls that only "
		    "synchronise stands under \"waited\", which is the most it can be.",
		    0, sheet->view->style.width);
	if (calls->copies_are_calls)
		fputs("Times of copies are those of their calls on the host.\n", sheet->out);
	if (calls->tracer.count)
		fprintf(sheet->out,
			"Besides, %s activities of the tracer itself, %s: in no figure here\n",
			ct_number(calls->tracer.count, number),
			ct_amount_text(
			    &(struct ct_amount){(double)calls->tracer.total_ns / 1e9, "s"}, time));
}

void ct_calls_write(FILE *out, const struct ct_calls *calls, const struct ct_calls_view *view)
{
	struct sheet sheet = {out, calls, view};

	write_head(&sheet);
	write_notes(&sheet);
}
