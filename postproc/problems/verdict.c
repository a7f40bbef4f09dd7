/* SPDX-License-Identifier: Apache-2.0 */
/* What of a study's problems is expected, and what is new. */
#include "postproc/problems/verdict.h"

#include "base/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_remark(struct ct_verdict *verdict, const struct ct_identity *identity,
		      const char *why)
{
	char *line;

	if (ct_array_grow(&verdict->remarks, verdict->remark_count, sizeof(*verdict->remarks)) < 0)
		return -ENOMEM;
	if (asprintf(&line, "%s:%u: ct: expected: %s", identity->file, identity->line, why) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < verdict->remark_count; i++)
		if (!strcmp(verdict->remarks[i], line)) {
			free(line);
			return 0;
		}
	verdict->remarks[verdict->remark_count++] = line;
	return 0;
}

/* 1: it is expected; 0: it is not */
static int look_for(struct ct_verdict *verdict, const struct ct_verdict_from *from,
		    const struct ct_identity *identity, struct ct_suppressed *found)
{
	enum ct_expected said = identity->line
				    ? ct_source_expects(from->texts, identity->path, identity->line,
							identity->id, found->reason)
				    : CT_EXPECTED_NOT;
	int err = 0;

	if (said == CT_EXPECTED)
		return 1;
	if (said == CT_EXPECTED_UNKNOWN)
		err = add_remark(verdict, identity, found->reason);
	*found->reason = '\0';
	found->by = ct_suppressions_find(from->suppressions, identity);
	if (found->by)
		snprintf(found->reason, sizeof(found->reason), "%s", found->by->reason);
	return err < 0 ? err : found->by != NULL;
}

static void leave_out(struct ct_verdict *verdict, const struct ct_problems *problems,
		      const struct ct_identity *identity)
{
	const struct ct_problem *problem = &problems->list[identity->problem];

	for (size_t p = 0; p < problem->parts; p++)
		if (problems->part[problem->first + p].finding->id == identity->id)
			verdict->left_out[problems->part[problem->first + p].number] = true;
}

static int suppress(struct ct_verdict *verdict, const struct ct_problems *problems,
		    const struct ct_verdict_from *from)
{
	struct ct_identities all;
	int err = ct_identities_init(&all, problems, from->texts);

	verdict->suppressed = calloc(all.count + 1, sizeof(*verdict->suppressed));
	verdict->left_out = calloc(from->findings->count + 1, sizeof(*verdict->left_out));
	if (!verdict->suppressed || !verdict->left_out)
		err = -ENOMEM;
	for (size_t i = 0; i < all.count && err == 0; i++) {
		struct ct_suppressed found = {.identity = verdict->expected.count};

		err = look_for(verdict, from, &all.list[i], &found);
		if (err <= 0)
			continue;
		verdict->suppressed[found.identity] = found;
		leave_out(verdict, problems, &all.list[i]);
		err = ct_identities_add(&verdict->expected, &all.list[i]);
	}
	ct_identities_fini(&all);
	return err;
}

bool ct_verdict_is_new(const struct ct_verdict *verdict, size_t identity)
{
	return verdict->has_baseline && verdict->match.before[identity] == CT_UNMATCHED;
}

/* A problem is new if one of its ids is. */
static void set_states(struct ct_verdict *verdict)
{
	for (size_t i = 0; i < verdict->problems.count; i++)
		verdict->problems.list[i].state = CT_PROBLEM_KNOWN;
	for (size_t i = 0; i < verdict->identities.count; i++)
		if (ct_verdict_is_new(verdict, i))
			verdict->problems.list[verdict->identities.list[i].problem].state =
			    CT_PROBLEM_NEW;
}

int ct_verdict_init(struct ct_verdict *verdict, const struct ct_verdict_from *from)
{
	struct ct_problems all;
	int err = ct_problems_init(&all, from->findings, from->inquiry);

	*verdict = (struct ct_verdict){.has_baseline = from->baseline != NULL};
	if (err == 0)
		err = suppress(verdict, &all, from);
	ct_problems_fini(&all);
	if (err == 0)
		err = ct_problems_init_without(&verdict->problems, from->findings, from->inquiry,
					       verdict->left_out);
	if (err == 0)
		err = ct_identities_init(&verdict->identities, &verdict->problems, from->texts);
	if (err == 0 && from->baseline)
		err = ct_identity_match_init(&verdict->match, from->baseline, &verdict->identities);
	if (err == 0 && from->baseline)
		set_states(verdict);
	if (err == 0 && from->baseline)
		err = ct_identity_match_init(&verdict->expected_match, from->baseline,
					     &verdict->expected);
	return err;
}

void ct_verdict_fini(struct ct_verdict *verdict)
{
	ct_problems_fini(&verdict->problems);
	ct_identities_fini(&verdict->identities);
	ct_identities_fini(&verdict->expected);
	ct_identity_match_fini(&verdict->match);
	ct_identity_match_fini(&verdict->expected_match);
	free(verdict->suppressed);
	free(verdict->left_out);
	for (size_t i = 0; i < verdict->remark_count; i++)
		free(verdict->remarks[i]);
	free(verdict->remarks);
	*verdict = (struct ct_verdict){.has_baseline = false};
}
