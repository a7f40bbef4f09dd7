/* SPDX-License-Identifier: Apache-2.0 */
/* One problem at length. */
#include "postproc/facts/folded_name.h"
#include "postproc/facts/words.h"
#include "postproc/render/findings/problems.h"
#include "postproc/tables/wrap.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2u
#define LINES_AROUND 2u
#define SHOWN_MAX 16u

static void write_text(FILE *out, const struct ct_style *style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void write_text(FILE *out, const struct ct_style *style, const char *format, ...)
{
	char *text = NULL;
	va_list values;
	int bytes;

	va_start(values, format);
	bytes = vasprintf(&text, format, values);
	va_end(values);
	if (bytes < 0)
		return;
	fprintf(out, "%*s", (int)INDENT, "");
	ct_write_wrapped(out, text, INDENT, style->width);
	free(text);
}

static void write_title(FILE *out, const struct ct_style *style, const char *title)
{
	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, title);
	fputc('\n', out);
}

/* The line with a few around it, where they are known. */
static void write_source(FILE *out, struct ct_source_store *sources, const char *path,
			 uint32_t line)
{
	uint32_t first = line > LINES_AROUND ? line - LINES_AROUND : 1;

	for (uint32_t number = first; line && number <= line + LINES_AROUND; number++) {
		const char *text = ct_source_line(sources, path, number);

		if (text)
			fprintf(out, "%s%6u  %s\n", number == line ? "> " : "  ", number, text);
	}
}

static void write_names(FILE *out, const struct ct_finding *finding, const struct ct_style *style)
{
	char text[1024], brief[CT_BRIEF_NAME_BYTES];

	for (size_t i = 0; i < finding->sites && i < SHOWN_MAX; i++) {
		const struct ct_finding_site *at = &finding->site[i];

		write_text(
		    out, style, "line %s",
		    ct_words_location(at->unit, &at->unit->sites[at->site], text, sizeof(text)));
	}
	for (size_t i = 0; i < finding->objects && i < SHOWN_MAX; i++)
		write_text(out, style, "object %s",
			   ct_words_object(finding->object[i], text, sizeof(text)));
	for (size_t i = 0; i < finding->kernels && i < SHOWN_MAX; i++)
		write_text(out, style, "kernel %s", ct_shown_name(finding->kernel[i], brief));
	for (size_t i = 0; i < finding->launches && i < SHOWN_MAX; i++)
		write_text(out, style, "launch %u of %s", finding->launch[i]->event->launch,
			   ct_shown_name(finding->launch[i]->kernel, brief));
}

/* How its worth is known, and what it rests on. */
static void write_worth(FILE *out, const struct ct_problems *problems,
			const struct ct_problem_part *part, const struct ct_style *style)
{
	const struct ct_finding *f = part->finding;
	struct ct_amount amount = {part->seconds, "s"};
	char text[CT_AMOUNT_BYTES];
	bool is_of_kernel = f->kernel_share > 0 || f->kernel_estimate > 0;

	if (isnan(part->seconds)) {
		write_text(out, style,
			   "not known: no time of the kernel is recorded or predicted (ctrun "
			   "profile records one)");
		return;
	}
	ct_amount_text(&amount, text);
	if (!is_of_kernel && part->is_estimate)
		write_text(out, style,
			   "about %s: the run's graph of calls and device work, run once more "
			   "without it",
			   text);
	else if (!is_of_kernel)
		write_text(out, style, "at most %s, which idle time bounds it to", text);
	else if (part->is_estimate)
		write_text(out, style,
			   "about %s: the model's launch after the change, as a share of the "
			   "kernel's time, of all its launches",
			   text);
	else
		write_text(out, style,
			   "at most %s: %.0f %% of the kernel's time, if it does nothing but what "
			   "is spared, of all its launches",
			   text, 100 * part->bound / part->kernel_seconds);
	amount.value = part->bound;
	if (is_of_kernel && part->is_estimate && !isnan(part->bound))
		write_text(out, style, "at most %s: %.0f %% of the kernel's time",
			   ct_amount_text(&amount, text), 100 * part->bound / part->kernel_seconds);
	if (!isnan(part->waiting))
		write_text(out, style,
			   "Of the kernel's samples %.0f %% are of warps that wait for what it "
			   "spares, or may: it saves no more.",
			   100 * part->waiting);
	if (is_of_kernel && problems->is_cpu)
		write_text(out, style,
			   "The kernel ran on CPU threads: what it saves there is another matter.");
}

static void write_part(FILE *out, const struct ct_problems *problems,
		       const struct ct_problem_part *part, const struct ct_style *style)
{
	const struct ct_finding *f = part->finding;

	write_text(out, style, "%s", f->text);
	if (f->evidence)
		write_text(out, style, "Evidence: %s.", f->evidence);
	write_names(out, f, style);
	write_title(out, style, "What to do");
	write_text(out, style, "%s", f->fix);
	write_title(out, style, "What it is worth");
	write_worth(out, problems, part, style);
}

void ct_problem_explain(FILE *out, const struct ct_problems *problems, size_t number,
			struct ct_source_store *sources, const struct ct_style *style)
{
	const struct ct_problem *problem = &problems->list[number];

	ct_problem_write_head(out, problems, number, style);
	if (*problem->file)
		write_source(out, sources, problem->file, problem->line);
	for (size_t i = 0; i < problem->parts; i++) {
		const struct ct_problem_part *part = &problems->part[problem->first + i];

		write_title(out, style,
			    i == 0 ? "What is observed"
			    : ct_problem_is_likewise(problems, problem, i)
				? "The same of another object"
				: "Also observed at this place");
		write_part(out, problems, part, style);
	}
	write_title(out, style, "How to verify");
	write_text(out, style,
		   "Make the change, run the program again by ctrun profile -o AFTER, and look "
		   "what ctpost compare says of this study and AFTER: whether it is gone, and "
		   "what that has saved. What the program prints must be the same.");
}
