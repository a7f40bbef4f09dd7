/* SPDX-License-Identifier: Apache-2.0 */
/* Says which of a study's problems are expected, and which are new. */
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

static void mark(const struct ct_verdict_from *from, const struct ct_identity *identity,
		 const char *suppressed_by)
{
	const struct ct_problem *problem = &from->problems->list[identity->problem];
	const struct ct_problem_part *part = &from->problems->part[problem->first];

	for (size_t p = 0; p < problem->parts; p++)
		if (part[p].finding->id == identity->id)
			from->findings->list[part[p].number].suppressed_by = suppressed_by;
}

static int suppress(struct ct_verdict *verdict, const struct ct_verdict_from *from)
{
	struct ct_identities all;
	int err = ct_identities_init(&all, from->problems, from->texts);

	verdict->suppressed = calloc(all.count + 1, sizeof(*verdict->suppressed));
	if (!verdict->suppressed)
		err = -ENOMEM;
	for (size_t i = 0; i < all.count && err == 0; i++) {
		struct ct_suppressed found = {.identity = verdict->expected.count};

		err = look_for(verdict, from, &all.list[i], &found);
		if (err <= 0)
			continue;
		verdict->suppressed[found.identity] = found;
		mark(from, &all.list[i], ct_suppressed_by(&found));
		err = ct_identities_add(&verdict->expected, &all.list[i]);
	}
	ct_identities_fini(&all);
	return err;
}

const char *ct_suppressed_by(const struct ct_suppressed *suppressed)
{
	return suppressed->by ? "file" : "source";
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
	int err;

	*verdict = (struct ct_verdict){.has_baseline = from->baseline != NULL};
	err = suppress(verdict, from);
	if (err == 0)
		err = ct_problems_init(&verdict->problems, from->findings, from->inquiry);
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
	for (size_t i = 0; i < verdict->remark_count; i++)
		free(verdict->remarks[i]);
	free(verdict->remarks);
	*verdict = (struct ct_verdict){.has_baseline = false};
}
