/* SPDX-License-Identifier: Apache-2.0 */
/* Problems, what limits the figures, and facts. */
#include "postproc/render/findings/findings.h"
#include "postproc/render/findings/problems.h"
#include <string.h>

/* Of one kind of what is wrong with a trace. */
#define TOLD 3u

/* Of what problems can tell; figures of communication are facts. */
static bool is_limit(const struct ct_finding *finding)
{
	return finding->kind == CT_FINDING_PROBLEM ||
	       (finding->kind == CT_FINDING_LIMIT && strcmp(finding->analysis, "comm") != 0);
}

static size_t count_facts(const struct ct_problem_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->findings->count; i++)
		count += !is_limit(&list->findings->list[i]) && !ct_problems_has(list->problems, i);
	return count;
}

/* Those that are no problem of the program. */
static void write_others(FILE *out, const struct ct_problem_list *list, bool limits,
			 const struct ct_style *style)
{
	size_t told = 0, wrong = 0;

	for (size_t i = 0; i < list->findings->count; i++) {
		const struct ct_finding *finding = &list->findings->list[i];

		if (is_limit(finding) != limits || ct_problems_has(list->problems, i))
			continue;
		if (finding->kind == CT_FINDING_PROBLEM && ++wrong > TOLD && !list->has_facts)
			continue;
		if (!told++)
			fputc('\n', out);
		ct_finding_write(out, finding, style);
	}
	if (wrong > TOLD && !list->has_facts)
		fprintf(out, "%zu more things are wrong with the trace: ctpost verify\n",
			wrong - TOLD);
}

void ct_problem_list_write(FILE *out, const struct ct_problem_list *list,
			   const struct ct_style *style)
{
	size_t facts = count_facts(list);

	ct_problems_write(out, list->problems, list->has_small, style);
	write_others(out, list, true, style);
	if (list->has_facts)
		write_others(out, list, false, style);
	else if (facts)
		fprintf(out, "\n%zu fact%s beside them: --facts\n", facts, facts == 1 ? "" : "s");
}
