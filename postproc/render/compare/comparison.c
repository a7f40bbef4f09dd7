/* SPDX-License-Identifier: Apache-2.0 */
/* Two studies of a program side by side, in sentences. */
#include "postproc/render/compare/comparison.h"

#include "postproc/facts/folded_name.h"
#include "postproc/tables/amount.h"
#include "postproc/tables/wrap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 4u

static const char *time_text(double seconds, char buffer[CT_AMOUNT_BYTES])
{
	return ct_amount_text(&(struct ct_amount){seconds, "s"}, buffer);
}

/* Returns what a stream has been given; closes it. NULL: memory is short. */
static char *text_of(FILE *stream, char **text)
{
	if (stream && fclose(stream) == 0)
		return *text;
	free(*text);
	return NULL;
}

/* "7.1 ms, now 1.9 ms: 5.2 ms less (73 %)" */
static void put_times(FILE *out, const double seconds[2])
{
	char time[3][CT_AMOUNT_BYTES];
	double less = seconds[0] - seconds[1];

	fprintf(out, "%s, now %s: %s %s", time_text(seconds[0], time[0]),
		time_text(seconds[1], time[1]), time_text(fabs(less), time[2]),
		less < 0 ? "more" : "less");
	if (seconds[0] > 0 && seconds[1] > 2 * seconds[0])
		fprintf(out, " (%.3g times)", seconds[1] / seconds[0]);
	else if (seconds[0] > 0)
		fprintf(out, " (%.*f %%)", fabs(less) < 0.1 * seconds[0],
			100 * fabs(less) / seconds[0]);
}

static void put_seconds(FILE *out, const char *what, double before, double after)
{
	if (isnan(before - after))
		return;
	fprintf(out, "%s ", what);
	put_times(out, (const double[]){before, after});
}

static double sum_calls(const struct ct_comparison *comparison, unsigned when)
{
	double sum = 0;

	for (size_t i = 0; i < comparison->calls; i++)
		sum += comparison->call[i].seconds[when];
	return comparison->calls ? sum : NAN;
}

static void put_predicted(FILE *out, const struct ct_comparison *comparison)
{
	const bool has_kernels = comparison->predicted_kernels > 0;
	char time[CT_AMOUNT_BYTES];

	if (!has_kernels && !(comparison->predicted_calls > 0))
		return;
	fputs("What is gone was predicted to save ", out);
	if (has_kernels)
		fprintf(out, "%s of kernels", time_text(comparison->predicted_kernels, time));
	if (comparison->predicted_calls > 0)
		fprintf(out, "%s%s of calls and what waits for them", has_kernels ? ", " : "",
			time_text(comparison->predicted_calls, time));
}

static void put_machine(FILE *out, const struct ct_comparison *comparison)
{
	if (comparison->side[0]->is_cpu && comparison->side[1]->is_cpu &&
	    !isnan(comparison->side[0]->kernel_seconds))
		fputs("Kernels ran on CPU threads: their times say nothing of a GPU's, their "
		      "figures do.",
		      out);
}

#define LINES 5u

static void put_line(FILE *out, const struct ct_comparison *comparison, unsigned line)
{
	const struct ct_side *const *side = comparison->side;

	if (line == 0)
		put_seconds(out, "The run took", side[0]->run_seconds, side[1]->run_seconds);
	else if (line == 1)
		put_seconds(out, "Kernels took", side[0]->kernel_seconds, side[1]->kernel_seconds);
	else if (line == 2 && !isnan(side[0]->run_seconds - side[1]->run_seconds))
		put_seconds(out, "Calls took", sum_calls(comparison, 0), sum_calls(comparison, 1));
	else if (line == 3)
		put_predicted(out, comparison);
	else if (line == 4)
		put_machine(out, comparison);
}

char *ct_comparison_line(const struct ct_comparison *comparison, unsigned number)
{
	for (unsigned line = 0; line < LINES; line++) {
		char *text = NULL;
		size_t bytes;
		FILE *out = open_memstream(&text, &bytes);

		if (out)
			put_line(out, comparison, line);
		text = text_of(out, &text);
		if (text && *text && !number--)
			return text;
		free(text);
	}
	return NULL;
}

static const struct ct_problem_part *part_of(const struct ct_compared_problem *problem)
{
	return problem->part[0] ? problem->part[0] : problem->part[1];
}

static const struct ct_problem *problem_of(const struct ct_compared_problem *problem,
					   const struct ct_comparison *comparison, unsigned when)
{
	return problem->part[when] ? &comparison->side[when]->problems->list[problem->number[when]]
				   : NULL;
}

char *ct_compared_place(const struct ct_compared_problem *problem,
			const struct ct_comparison *comparison)
{
	const struct ct_finding *finding = part_of(problem)->finding;
	const struct ct_problem *was = problem_of(problem, comparison, 0);
	const struct ct_problem *is = problem_of(problem, comparison, 1);
	const struct ct_problem *place = was ? was : is;
	char brief[CT_BRIEF_NAME_BYTES], *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	if (*place->file)
		fprintf(out, "%s:%u", ct_side_base(place->file), place->line);
	if (was && is && *is->file && (was->line != is->line || strcmp(was->file, is->file) != 0))
		fprintf(out, " (now %s:%u)", ct_side_base(is->file), is->line);
	if (finding->kernels)
		fprintf(out, "%s%s", *place->file ? ", " : "",
			ct_shown_name(finding->kernel[0], brief));
	if (!*place->file && !finding->kernels)
		fputs("the program", out);
	fprintf(out, ": %s", ct_finding_id_title(finding->id));
	return text_of(out, &text);
}

/* "about 5.83 ms, 3.2 % (at most 14.3 ms)" */
static void put_worth(FILE *out, const struct ct_compared_problem *problem, unsigned when)
{
	const struct ct_problem_part *part = problem->part[when];
	char time[CT_AMOUNT_BYTES];

	if (isnan(problem->seconds[when])) {
		fputs("as much as is not known", out);
		return;
	}
	fprintf(out, "%s %s", part && !part->is_estimate ? "at most" : "about",
		time_text(problem->seconds[when], time));
	if (!isnan(problem->share[when]))
		fprintf(out, ", %.*f %%", problem->share[when] < 0.1, 100 * problem->share[when]);
	if (part && part->is_estimate && problem->bound[when] > 1.005 * problem->seconds[when])
		fprintf(out, " (at most %s)", time_text(problem->bound[when], time));
}

/* "row_means", "energy, move and begin" */
static void put_kernels(FILE *out, const struct ct_compared_problem *problem,
			const struct ct_comparison *comparison)
{
	const struct ct_side *before = comparison->side[0];
	char brief[CT_BRIEF_NAME_BYTES];
	size_t all = 0, reported = 0;

	for (size_t k = 0; k < before->kernels; k++)
		all += ct_compared_concerns(comparison, problem, k);
	for (size_t k = 0; k < before->kernels; k++) {
		if (!ct_compared_concerns(comparison, problem, k))
			continue;
		fprintf(out, "%s%s",
			!reported            ? ""
			: reported + 1 < all ? ", "
					     : " and ",
			ct_shown_name(before->kernel[k].name, brief));
		reported++;
	}
}

/* Writes what took as long as the problem costs, before and after. */
static void put_measured(FILE *out, const struct ct_compared_problem *problem,
			 const struct ct_comparison *comparison)
{
	fputs("; ", out);
	switch (problem->measure) {
	case CT_MEASURED_NOTHING:
		fputs("what that has saved is not known", out);
		return;
	case CT_MEASURED_CALLS:
		fprintf(out, "calls of %s took ", problem->call);
		break;
	case CT_MEASURED_RUN:
		fputs("the run took ", out);
		break;
	default:
		put_kernels(out, problem, comparison);
		fputs(problem->measure == CT_MEASURED_MODEL ? " took, by the model, " : " took ",
		      out);
	}
	put_times(out, problem->measured);
	if (problem->shared)
		fprintf(out, ", together with %zu other%s that %s gone", problem->shared,
			problem->shared == 1 ? "" : "s", problem->shared == 1 ? "is" : "are");
}

char *ct_compared_reported(const struct ct_compared_problem *problem,
			   const struct ct_comparison *comparison)
{
	const unsigned when = problem->part[0] ? 0 : 1;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	switch (problem->state) {
	case CT_COMPARED_GONE:
		fputs("was worth ", out);
		put_worth(out, problem, 0);
		put_measured(out, problem, comparison);
		break;
	case CT_COMPARED_REMAINS:
		fputs("was worth ", out);
		put_worth(out, problem, 0);
		fputs("; now ", out);
		put_worth(out, problem, 1);
		break;
	case CT_COMPARED_UNKNOWN:
		fprintf(out, "in %s, worth ", comparison->side[when]->name);
		put_worth(out, problem, when);
		fprintf(out, "; %s has not recorded what would show it",
			comparison->side[!when]->name);
		break;
	default:
		fputs("is worth ", out);
		put_worth(out, problem, 1);
	}
	return text_of(out, &text);
}

char *ct_compared_text(const struct ct_compared_problem *problem)
{
	const struct ct_problem_part *part = problem->part[1] ? problem->part[1] : problem->part[0];
	char *text = NULL;
	int bytes =
	    problem->state == CT_COMPARED_GONE
		? asprintf(&text, "%s", part->finding->text)
		: asprintf(&text, "%s \xe2\x86\x92 %s", part->finding->text, part->finding->fix);

	return bytes < 0 ? NULL : text;
}

const char *ct_compared_title(enum ct_compared_state state)
{
	static const char *const title[] = {"Gone", "New", "Remaining", "Not known of one of both"};

	return title[state];
}

static void write_problem(FILE *out, const struct ct_comparison *comparison,
			  const struct ct_compared_problem *problem, size_t number,
			  const struct ct_style *style)
{
	char *place = ct_compared_place(problem, comparison);
	char *reported = ct_compared_reported(problem, comparison),
	     *text = ct_compared_text(problem);
	char *line = NULL;

	if (place && reported && text && asprintf(&line, "%s: %s", place, reported) >= 0) {
		fprintf(out, "%2zu  ", number);
		ct_write_wrapped(out, line, INDENT, style->width);
	}
	/* The second study's list says more of problems that remain. */
	if (line && problem->state != CT_COMPARED_REMAINS) {
		fprintf(out, "%*s", (int)INDENT, "");
		ct_write_wrapped(out, text, INDENT, style->width);
	}
	free(line);
	free(place);
	free(reported);
	free(text);
}

static void write_state(FILE *out, const struct ct_comparison *comparison,
			enum ct_compared_state state, bool is_all, const struct ct_style *style)
{
	const size_t all = comparison->count[state] + (is_all ? comparison->small[state] : 0);
	char title[96];
	size_t number = 0;

	if (!all)
		return;
	snprintf(title, sizeof(title), "%s (%zu)", ct_compared_title(state), all);
	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, title);
	fputc('\n', out);
	for (size_t i = 0; i < comparison->problems; i++) {
		const struct ct_compared_problem *problem = &comparison->problem[i];

		if (problem->state == state && (is_all || !problem->is_small))
			write_problem(out, comparison, problem, ++number, style);
	}
}

void ct_comparison_write(FILE *out, const struct ct_comparison *comparison, bool is_all,
			 const struct ct_style *style)
{
	const size_t gone = comparison->small[CT_COMPARED_GONE];
	const size_t new = comparison->small[CT_COMPARED_NEW];
	char *line;

	fprintf(out, "Before  %s\nAfter   %s\n", comparison->side[0]->name,
		comparison->side[1]->name);
	for (unsigned number = 0; (line = ct_comparison_line(comparison, number)); number++) {
		ct_write_wrapped(out, line, 0, style->width);
		free(line);
	}
	for (size_t i = 0; i < comparison->doubts; i++) {
		fputs("Doubtful: ", out);
		ct_write_wrapped(out, comparison->doubt[i], 10, style->width);
	}
	if (!comparison->is_other_program && !comparison->count[CT_COMPARED_GONE] &&
	    !comparison->count[CT_COMPARED_NEW])
		fputs("\nNo problem is gone, and none is new.\n", out);
	for (unsigned state = 0; state < CT_COMPARED_STATES; state++)
		write_state(out, comparison, (enum ct_compared_state)state, is_all, style);
	if (!is_all && gone + new)
		fprintf(out,
			"\nOf those that are worth less than a thousandth of the run %zu %s gone, "
			"%zu new (--all)\n",
			gone, gone == 1 ? "is" : "are", new);
}
