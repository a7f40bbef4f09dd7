/* SPDX-License-Identifier: Apache-2.0 */
/* Thread by thread, call by call. */
#include "postproc/analysis/ffm/match.h"
#include "base/hash.h"
#include "postproc/analysis/ffm/stack_sites.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NEAR 128u   /* calls of both that are looked at until they are the same again, at first */
#define FAR 2048u   /* and at last */
#define AGAIN 3u    /* of those, one after another */
#define PERIODS 16u /* most calls of a loop that is known as one */

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

/* Calls that come again and again from begin to end. */
struct loop {
	size_t begin, end;
};

/* Steps of a thread. */
struct part {
	const struct ct_ffm_run *run;
	size_t at, end;
	const uint32_t *next; /* by step: the first one of the thread that is another call */
	struct loop *loop;    /* by period - 1: the last one that was looked at; PERIODS of them */
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

/* The threads of a run. */
struct parts {
	struct part *part;
	size_t count;
	uint32_t *next;
	struct loop loop[PERIODS];
};

static void find_next(const struct parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->part[i];
		const uint64_t *what = part->run->what;

		for (size_t s = part->end; s-- > part->at;)
			parts->next[s] = s + 1 < part->end && what[s + 1] == what[s]
					     ? parts->next[s + 1]
					     : (uint32_t)s + 1;
	}
}

/* In the order of their first calls: their numbers go by the system's ids, which begin again when
 * they are used up. 0 or -ENOMEM */
static int list_parts(struct parts *parts, const struct ct_ffm_run *run)
{
	const struct ct_ffm_graph *graph = run->graph;
	size_t threads = graph->steps ? graph->step[graph->steps - 1].thread + (size_t)1 : 0;

	*parts = (struct parts){.part = malloc((threads + 1) * sizeof(*parts->part)),
				.next = malloc((graph->steps + 1) * sizeof(*parts->next))};
	if (!parts->part || !parts->next)
		return -ENOMEM;
	for (size_t s = 0; s < graph->steps; s++) {
		if (s == 0 || graph->step[s].thread != graph->step[s - 1].thread)
			parts->part[parts->count++] = (struct part){run, s, s, parts->next, NULL};
		parts->part[parts->count - 1].end = s + 1;
	}
	find_next(parts);
	qsort(parts->part, parts->count, sizeof(*parts->part), compare_begins);
	return 0;
}

static void free_parts(struct parts *parts)
{
	free(parts->part);
	free(parts->next);
}

/* So many calls from there on, one that is made several times in a row counted once; as many as
 * there are, if both end. */
static bool are_same(const struct part *a, size_t i, const struct part *b, size_t j, size_t wanted)
{
	size_t count = 0;

	i += a->at;
	j += b->at;
	for (; count < wanted && i < a->end && j < b->end; count++) {
		if (a->run->what[i] != b->run->what[j])
			return false;
		i = a->next[i];
		j = b->next[j];
	}
	return count == wanted || (count > 0 && i >= a->end && j >= b->end);
}

/* Past the fewest calls of both behind which they are the same. */
static bool skip(struct part *a, struct part *b, size_t within)
{
	for (size_t sum = 1; sum <= within; sum++)
		for (size_t i = 0; i <= sum; i++)
			if (are_same(a, i, b, sum - i, AGAIN)) {
				a->at += i;
				b->at += sum - i;
				return true;
			}
	return false;
}

/* How many calls from here on are a loop of so many calls; 0: none. */
static size_t loop_calls(struct part *part, size_t period)
{
	struct loop *loop = &part->loop[period - 1];
	const uint64_t *what = part->run->what;
	size_t s = part->at;

	if (s >= loop->begin && s < loop->end)
		return loop->end - s;
	while (s + period < part->end && what[s + period] == what[s])
		s++;
	if (s == part->at)
		return 0;
	*loop = (struct loop){part->at, s + period};
	return loop->end - part->at;
}

/* Past what is left of a loop whose number of iterations is another in the other run, as that of
 * one that asks whether a device is done, or past such loops of both. */
static bool leave_loop(struct part *a, struct part *b, size_t wanted)
{
	for (size_t period = 1; period <= PERIODS; period++) {
		size_t i = loop_calls(a, period), j = loop_calls(b, period);

		if (i && are_same(a, i, b, 0, wanted))
			j = 0;
		else if (j && are_same(a, 0, b, j, wanted))
			i = 0;
		else if (!i || !j || !are_same(a, i, b, j, wanted))
			continue;
		a->at += i;
		b->at += j;
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
		if (!leave_loop(&a, &b, AGAIN) && !skip(&a, &b, NEAR) && !leave_loop(&a, &b, 1) &&
		    !skip(&a, &b, FAR))
			return;
	}
}

static void match_pair(struct parts *a, size_t i, struct parts *b, size_t j, uint32_t *to,
		       struct ct_ffm_matched *matched)
{
	memset(a->loop, 0, sizeof(a->loop));
	memset(b->loop, 0, sizeof(b->loop));
	a->part[i].loop = a->loop;
	b->part[j].loop = b->loop;
	match_threads(a->part[i], b->part[j], to, matched);
	a->part[i].run = b->part[j].run = NULL;
}

/* A thread by what it calls first. */
struct first_call {
	uint64_t what;
	size_t part;
};

static int compare_firsts(const void *a, const void *b)
{
	const struct first_call *x = a, *y = b;

	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

static struct first_call *sort_firsts(const struct parts *parts)
{
	struct first_call *first = malloc((parts->count + 1) * sizeof(*first));

	for (size_t i = 0; first && i < parts->count; i++) {
		const struct part *part = &parts->part[i];

		first[i] = (struct first_call){part->run->what[part->at], i};
	}
	if (first)
		qsort(first, parts->count, sizeof(*first), compare_firsts);
	return first;
}

/* Pairs the first thread that begins with each call with the first one of the other run, and so
 * on. What is left in their order. */
static int match_parts(struct parts *a, struct parts *b, uint32_t *to,
		       struct ct_ffm_matched *matched)
{
	struct first_call *x = sort_firsts(a), *y = sort_firsts(b);
	size_t *pair = malloc((a->count + 1) * sizeof(*pair));
	int err = x && y && pair ? 0 : -ENOMEM;

	for (size_t i = 0; err == 0 && i < a->count; i++)
		pair[i] = b->count;
	for (size_t i = 0, j = 0; err == 0 && i < a->count && j < b->count;) {
		if (x[i].what == y[j].what)
			pair[x[i++].part] = y[j++].part;
		else if (x[i].what < y[j].what)
			i++;
		else
			j++;
	}
	for (size_t i = 0; err == 0 && i < a->count; i++)
		if (pair[i] < b->count)
			match_pair(a, i, b, pair[i], to, matched);
	for (size_t i = 0, j = 0; err == 0 && i < a->count; i++) {
		while (j < b->count && !b->part[j].run)
			j++;
		if (a->part[i].run && j < b->count)
			match_pair(a, i, b, j, to, matched);
	}
	free(x);
	free(y);
	free(pair);
	return err;
}

int ct_ffm_match(const struct ct_ffm_run *run, const struct ct_ffm_run *other, uint32_t *to,
		 struct ct_ffm_matched *matched)
{
	struct parts a, b = {.part = NULL};
	int err = list_parts(&a, run);

	if (err == 0)
		err = list_parts(&b, other);
	*matched = (struct ct_ffm_matched){.step = CT_FFM_NONE};
	for (size_t s = 0; s < run->graph->steps; s++)
		to[s] = CT_FFM_NONE;
	if (err == 0)
		err = match_parts(&a, &b, to, matched);
	free_parts(&a);
	free_parts(&b);
	matched->run_alone = run->graph->steps - matched->both;
	matched->other_alone = other->graph->steps - matched->both;
	return err;
}
