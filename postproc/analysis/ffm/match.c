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

static int compare_begins(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	uint64_t i = ct_ffm_launch_at(&x->run->graph->step[x->at]);
	uint64_t j = ct_ffm_launch_at(&y->run->graph->step[y->at]);

	if (i != j)
		return i < j ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* In the order of their first calls: their numbers go by the system's ids, which begin again when
 * they are used up. NULL: memory is short. */
static struct part *list_parts(const struct ct_ffm_run *run, size_t *count)
{
	const struct ct_ffm_graph *graph = run->graph;
	size_t threads = graph->steps ? graph->step[graph->steps - 1].thread + (size_t)1 : 0;
	struct part *part = malloc((threads + 1) * sizeof(*part));

	*count = 0;
	for (size_t s = 0; s < graph->steps && part; s++) {
		if (s == 0 || graph->step[s].thread != graph->step[s - 1].thread)
			part[(*count)++] = (struct part){run, s, s};
		part[*count - 1].end = s + 1;
	}
	if (part && *count)
		qsort(part, *count, sizeof(*part), compare_begins);
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

/* Each with the first one that is left, at first only with those that begin with the same call. */
static void match_parts(struct part *a, size_t a_count, struct part *b, size_t b_count,
			bool by_call, uint32_t *to, struct ct_ffm_matched *matched)
{
	for (size_t i = 0; i < a_count; i++)
		for (size_t j = 0; j < b_count && a[i].run; j++) {
			if (!b[j].run ||
			    (by_call && a[i].run->what[a[i].at] != b[j].run->what[b[j].at]))
				continue;
			match_threads(a[i], b[j], to, matched);
			a[i].run = b[j].run = NULL;
		}
}

int ct_ffm_match(const struct ct_ffm_run *run, const struct ct_ffm_run *other, uint32_t *to,
		 struct ct_ffm_matched *matched)
{
	size_t a_count, b_count;
	struct part *a = list_parts(run, &a_count), *b = list_parts(other, &b_count);
	int err = a && b ? 0 : -ENOMEM;

	*matched = (struct ct_ffm_matched){.step = CT_FFM_NONE};
	for (size_t s = 0; s < run->graph->steps; s++)
		to[s] = CT_FFM_NONE;
	if (err == 0) {
		match_parts(a, a_count, b, b_count, true, to, matched);
		match_parts(a, a_count, b, b_count, false, to, matched);
	}
	free(a);
	free(b);
	matched->run_alone = run->graph->steps - matched->both;
	matched->other_alone = other->graph->steps - matched->both;
	return err;
}
