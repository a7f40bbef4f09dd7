/* SPDX-License-Identifier: Apache-2.0 */
/* Problems, what limits the figures, and facts. */
#include "postproc/render/findings/findings.h"
#include "postproc/render/findings/problems.h"
#include <string.h>

/* So many of one kind of what is wrong with a trace are reported. */
#define REPORTED 3u

/* Limits are of what problems can say; figures of communication are facts. */
static bool is_limit(const struct ct_finding *finding)
{
	return finding->kind == CT_FINDING_PROBLEM ||
	       (finding->kind == CT_FINDING_LIMIT && strcmp(finding->analysis, "comm") != 0);
}

static bool is_problem(const struct ct_problem_list *list, size_t finding)
{
	return ct_problems_has(&list->verdict->problems, finding) ||
	       list->findings->list[finding].suppressed_by;
}

static size_t count_facts(const struct ct_problem_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->findings->count; i++)
		count += !is_limit(&list->findings->list[i]) && !is_problem(list, i);
	return count;
}

/* Those that are no problem of the program. */
static void write_others(FILE *out, const struct ct_problem_list *list, bool limits,
			 const struct ct_style *style)
{
	size_t reported = 0, wrong = 0;

	for (size_t i = 0; i < list->findings->count; i++) {
		const struct ct_finding *finding = &list->findings->list[i];

		if (is_limit(finding) != limits || is_problem(list, i))
			continue;
		if (finding->kind == CT_FINDING_PROBLEM && ++wrong > REPORTED && !list->has_facts)
			continue;
		if (!reported++)
			fputc('\n', out);
		ct_finding_write(out, finding, style);
	}
	if (wrong > REPORTED && !list->has_facts)
		fprintf(out, "%zu more things are wrong with the trace: ctpost verify\n",
			wrong - REPORTED);
}

/* "heat.cu:45, row_means: strided-accesses: the table is small (suppressed by the source)" */
static void write_suppressed(FILE *out, const struct ct_identity *identity,
			     const struct ct_suppressed *suppressed)
{
	fputs("    ", out);
	if (*identity->file)
		fprintf(out, "%s:%u", identity->file, identity->line);
	fprintf(out, "%s%s: %s", *identity->file && *identity->function ? ", " : "",
		identity->function, ct_finding_id_text(identity->id));
	if (suppressed->by)
		fprintf(out, ", by line %u of the file", suppressed->by->line);
	else
		fputs(", by the source", out);
	fprintf(out, "%s%s\n", *suppressed->reason ? ": " : "", suppressed->reason);
}

/* How many are left out, or which; what a baseline knows of the others. */
static void write_verdict(FILE *out, const struct ct_problem_list *list)
{
	const struct ct_verdict *verdict = list->verdict;

	if (verdict->expected.count)
		fprintf(out, "%zu suppressed%s\n", verdict->expected.count,
			list->has_suppressed ? "" : " (--suppressed)");
	for (size_t i = 0; list->has_suppressed && i < verdict->expected.count; i++)
		write_suppressed(out, &verdict->expected.list[i], &verdict->suppressed[i]);
	if (verdict->has_baseline)
		fprintf(out, "Beside the baseline: %zu new, %zu known, %zu gone\n",
			verdict->match.new, verdict->match.remaining, verdict->match.gone);
}

void ct_problem_list_write(FILE *out, const struct ct_problem_list *list,
			   const struct ct_style *style)
{
	size_t facts = count_facts(list);

	ct_problems_write(out, &list->verdict->problems, list->has_small, style);
	write_verdict(out, list);
	write_others(out, list, true, style);
	if (list->has_facts)
		write_others(out, list, false, style);
	else if (facts)
		fprintf(out, "\n%zu fact%s beside them: --facts\n", facts, facts == 1 ? "" : "s");
}
