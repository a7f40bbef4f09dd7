/* SPDX-License-Identifier: Apache-2.0 */
/* Problems for a terminal: where, what it is worth, what is wrong, what to do. */
#include "postproc/render/findings/problems.h"

#include "postproc/facts/folded_name.h"
#include "postproc/facts/words.h"
#include "postproc/tables/wrap.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 4u

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "heat.cu:45, row_means" */
static void write_place(FILE *line, const struct ct_problem *problem,
			const struct ct_problem_part *part)
{
	const struct ct_finding *finding = part->finding;
	char brief[CT_BRIEF_NAME_BYTES];

	if (*problem->file)
		fprintf(line, "%s:%u", file_name(problem->file), problem->line);
	if (finding->kernels)
		fprintf(line, "%s%s", *problem->file ? ", " : "",
			ct_shown_name(finding->kernel[0], brief));
	if (!*problem->file && !finding->kernels)
		fputs("the program", line);
}

static void write_worth(FILE *line, const struct ct_problem *problem,
			const struct ct_problem_part *part)
{
	struct ct_amount amount = {problem->seconds, "s"};
	char text[CT_AMOUNT_BYTES];

	if (isnan(problem->seconds)) {
		if (part->finding->kind == CT_FINDING_PROBLEM)
			fputs(": wrong results", line);
		else if (part->finding->kernel_share > 0)
			fprintf(line, ": at most %.0f %% of the kernel's time",
				100 * fmin(part->finding->kernel_share, 1));
		return;
	}
	fprintf(line, ": %s %s", part->is_estimate ? "about" : "at most",
		ct_amount_text(&amount, text));
	if (!isnan(problem->share))
		fprintf(line, ", %.*f %%", problem->share < 0.1, 100 * problem->share);
	amount.value = problem->bound;
	if (part->is_estimate && problem->bound > 1.005 * problem->seconds)
		fprintf(line, " (at most %s)", ct_amount_text(&amount, text));
}

/* A sentence and what to do. before: "" or a word that introduces it */
static void write_part(FILE *out, const struct ct_problem_part *part, const char *before,
		       const struct ct_style *style)
{
	char *text = NULL;

	if (asprintf(&text, "%s%s \xe2\x86\x92 %s [%s]", before, part->finding->text,
		     part->finding->fix, ct_finding_id_text(part->finding->id)) < 0)
		return;
	fprintf(out, "%*s", (int)INDENT, "");
	ct_write_wrapped(out, text, INDENT, style->width);
	free(text);
}

/* Returns what the same advice is about: its object, or where it is on the layout of one its
 * place. */
static const char *subject_of(const struct ct_finding *finding, char *buffer, size_t bytes)
{
	if (finding->is_of_object && finding->sites)
		return ct_words_location(finding->site[0].unit,
					 &finding->site[0].unit->sites[finding->site[0].site],
					 buffer, bytes);
	return finding->objects ? ct_words_object(finding->object[0], buffer, bytes) : "";
}

static bool is_named_before(const struct ct_problem_part *part, size_t count, const char *subject)
{
	char other[1024];

	for (size_t i = 0; i < count; i++)
		if (!strcmp(subject_of(part[i].finding, other, sizeof(other)), subject))
			return true;
	return false;
}

/* The others of the same advice. */
static void write_likewise(FILE *out, const struct ct_problems *problems,
			   const struct ct_problem *problem, const struct ct_style *style)
{
	const struct ct_problem_part *part = &problems->part[problem->first];
	char *text = NULL, buffer[1024];
	size_t bytes, count = 0;
	FILE *line = open_memstream(&text, &bytes);

	for (size_t i = 1; i < problem->parts && line; i++) {
		const char *subject = subject_of(part[i].finding, buffer, sizeof(buffer));

		if (ct_problem_is_likewise(problems, problem, i) && *subject &&
		    !is_named_before(part, i, subject))
			fprintf(line, "%s%s", count++ ? ", " : "Likewise: ", file_name(subject));
	}
	if (line && fclose(line) == 0 && count) {
		fprintf(out, "%*s", (int)INDENT, "");
		ct_write_wrapped(out, text, INDENT, style->width);
	}
	free(text);
}

void ct_problem_write_head(FILE *out, const struct ct_problems *problems, size_t number,
			   const struct ct_style *style)
{
	const struct ct_problem *problem = &problems->list[number];
	const struct ct_problem_part *part = &problems->part[problem->first];
	char *text = NULL;
	size_t bytes;
	FILE *line = open_memstream(&text, &bytes);

	if (line) {
		fprintf(line, "%2zu  ", number + 1);
		write_place(line, problem, part);
		write_worth(line, problem, part);
		if (problem->state == CT_PROBLEM_NEW)
			fputs(" (new)", line);
		if (fclose(line) == 0)
			ct_emphasise(out, style, CT_BOLD, text);
		free(text);
	}
	fputc('\n', out);
}

static void write_problem(FILE *out, const struct ct_problems *problems, size_t number,
			  const struct ct_style *style)
{
	const struct ct_problem *problem = &problems->list[number];
	const struct ct_problem_part *part = &problems->part[problem->first];

	ct_problem_write_head(out, problems, number, style);
	write_part(out, part, "", style);
	write_likewise(out, problems, problem, style);
	for (size_t i = 1; i < problem->parts; i++)
		if (!ct_problem_is_likewise(problems, problem, i))
			write_part(out, part + i, "Also: ", style);
}

static void write_title(FILE *out, const struct ct_problems *problems, const struct ct_style *style)
{
	struct ct_amount run = {problems->run_seconds, "s"};
	char amount[CT_AMOUNT_BYTES], title[256];

	if (!(problems->run_seconds > 0))
		snprintf(title, sizeof(title),
			 "Problems; what they are worth is not known, for no "
			 "times are recorded");
	else
		snprintf(title, sizeof(title),
			 "Problems, ranked by what fixing each saves of %s %s",
			 !problems->is_of_kernels ? "a run of"
			 : problems->is_predicted ? "kernels that should take"
						  : "kernels that take",
			 ct_amount_text(&run, amount));
	ct_emphasise(out, style, CT_BOLD, title);
	fputc('\n', out);
	if (problems->is_cpu && !problems->is_of_kernels)
		fputs("Kernels ran on CPU threads: what a fix saves of a kernel's time is what it "
		      "would save on a GPU.\n",
		      out);
}

void ct_problems_write(FILE *out, const struct ct_problems *problems, bool is_all,
		       const struct ct_style *style)
{
	size_t reported = is_all ? problems->count : problems->count - problems->small;

	if (!reported) {
		fputs("No problem stands out.\n", out);
	} else {
		write_title(out, problems, style);
		for (size_t i = 0; i < reported; i++)
			write_problem(out, problems, i, style);
	}
	if (reported < problems->count)
		fprintf(out, "%zu more %s worth less than a thousandth each (--all)\n",
			problems->count - reported, problems->count - reported == 1 ? "is" : "are");
}
