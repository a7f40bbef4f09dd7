/* SPDX-License-Identifier: Apache-2.0 */
/* Thread by thread, call by call. */
#include "postproc/analysis/ffm/match.h"
#include "base/hash.h"
#include "postproc/analysis/ffm/stack_sites.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WITHIN 128u /* calls of both that are looked at until they are the same again */
#define AGAIN 3u    /* of those, one after another */

int ct_ffm_whats(const struct ct_ffm_program *program, struct ct_trace *trace, uint32_t part,
		 uint64_t *what)
{
	uint64_t *stack;
	size_t rows;
	int err = ct_ffm_stack_sites(trace, part, &stack, &rows);

	for (size_t s = 0; s < program->graph.steps && err == 0; s++) {
		const struct ct_row_call *call = &program->calls[program->call[s]];

		what[s] =
		    ct_hash_join_string(call->stack && call->stack <= rows ? stack[call->stack] : 0,
					ct_trace_string(trace, part, call->name));
	}
	free(stack);
	return err;
}

/* Steps of a thread. */
struct part {
	const struct ct_ffm_run *run;
	size_t at, end;
};

static struct part part_of(const struct ct_ffm_run *run, uint32_t thread, size_t from)
{
	struct part part = {run, from, from};

	while (part.end < run->graph->steps && run->graph->step[part.end].thread == thread)
		part.end++;
	return part;
}

/* So many calls from there on; as many as there are, if both end. */
static bool are_same(const struct part *a, size_t i, const struct part *b, size_t j)
{
	size_t count = 0;

	for (; count < AGAIN && a->at + i + count < a->end && b->at + j + count < b->end; count++)
		if (a->run->what[a->at + i + count] != b->run->what[b->at + j + count])
			return false;
	return count == AGAIN ||
	       (count > 0 && a->at + i + count == a->end && b->at + j + count == b->end);
}

/* Past the fewest calls of both behind which they are the same. */
static bool skip(struct part *a, struct part *b)
{
	for (size_t sum = 1; sum <= WITHIN; sum++)
		for (size_t i = 0; i <= sum; i++)
			if (are_same(a, i, b, sum - i)) {
				a->at += i;
				b->at += sum - i;
				return true;
			}
	return false;
}

static void match_threads(struct part a, struct part b, uint32_t *to,
			  struct ct_ffm_matched *matched)
{
	while (a.at < a.end && b.at < b.end) {
		if (a.run->what[a.at] == b.run->what[b.at]) {
			to[a.at++] = (uint32_t)b.at++;
			matched->both++;
			continue;
		}
		if (matched->step == CT_FFM_NONE) {
			matched->thread = a.run->graph->step[a.at].thread;
			matched->step = (uint32_t)a.at;
		}
		if (!skip(&a, &b))
			return;
	}
}

void ct_ffm_match(const struct ct_ffm_run *run, const struct ct_ffm_run *other, uint32_t *to,
		  struct ct_ffm_matched *matched)
{
	size_t steps = run->graph->steps, others = other->graph->steps;

	*matched = (struct ct_ffm_matched){.step = CT_FFM_NONE};
	for (size_t s = 0; s < steps; s++)
		to[s] = CT_FFM_NONE;
	for (size_t s = 0, o = 0; s < steps && o < others;) {
		uint32_t thread = run->graph->step[s].thread;
		struct part a = part_of(run, thread, s), b = part_of(other, thread, o);

		match_threads(a, b, to, matched);
		s = a.end;
		o = b.end;
	}
	matched->run_alone = steps - matched->both;
	matched->other_alone = others - matched->both;
}
