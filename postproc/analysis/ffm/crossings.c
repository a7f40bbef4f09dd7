/* SPDX-License-Identifier: Apache-2.0 */
/* Works before and behind waits, stream by stream. */
#include "postproc/analysis/ffm/crossings.h"
#include "base/array.h"
#include "base/large.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LATER 256u  /* steps behind a wait, and before it, that are looked at */
#define PENDING 64u /* works of a stream that a wait may be for */

struct crossing_search {
	struct ct_ffm_crossings *crossings;
	const struct ct_ffm_program *program;
	const struct ct_ffm_gap *gap;
	const struct ct_ffm_touched *touched;
	const uint32_t *in_uses;
	uint32_t *work; /* by step: the first one that it launched; CT_FFM_NONE */
};

static int list_works(struct crossing_search *search)
{
	const struct ct_ffm_graph *graph = &search->program->graph;

	search->work = ct_large_alloc(graph->steps + 1, sizeof(*search->work));
	if (!search->work)
		return -ENOMEM;
	for (size_t s = 0; s < graph->steps; s++)
		search->work[s] = CT_FFM_NONE;
	for (size_t w = graph->works; w-- > 0;)
		if (graph->work[w].step != CT_FFM_NONE)
			search->work[graph->work[w].step] = (uint32_t)w;
	return 0;
}

static uint64_t end_of(const struct ct_ffm_work *work)
{
	return work->begin_ns + work->duration_ns;
}

static uint64_t stream_of(const struct ct_ffm_program *program, uint32_t step)
{
	return program->calls[program->call[step]].stream;
}

/* Work of a step comes behind another work by the rules of streams alone. */
static bool is_behind(const struct crossing_search *search, uint32_t s, uint32_t before)
{
	const struct ct_ffm_program *program = search->program;
	const struct ct_ffm_graph *graph = &program->graph;
	uint32_t w = search->work[s], by = graph->work[before].step;
	uint32_t stream = graph->work[before].stream;

	if (graph->work[w].stream == stream)
		return true;
	for (size_t i = graph->first_before[w]; i < graph->first_before[w + 1]; i++)
		if (graph->work[graph->before[i]].stream == stream)
			return true;
	return (stream_of(program, s) == 0 && graph->is_legacy[stream]) ||
	       (by != CT_FFM_NONE && stream_of(program, by) == 0 &&
		graph->is_legacy[graph->work[w].stream]);
}

/* When the thread had waited for the stream before. */
static uint64_t waited_before(const struct ct_ffm_graph *graph, uint32_t s, uint32_t stream)
{
	for (uint32_t t = s; t-- > 0 && s - t <= LATER;) {
		if (graph->step[t].thread != graph->step[s].thread)
			return 0;
		if (ct_ffm_covers(graph, &graph->step[t], stream))
			return ct_ffm_end(&graph->step[t]);
	}
	return 0;
}

static uint32_t in_uses(const struct crossing_search *search, uint32_t step)
{
	if (step == CT_FFM_NONE)
		return CT_FFM_NONE;
	return search->in_uses ? search->in_uses[step] : step;
}

/* Of the works that the wait is for in a stream, up to `last`, and a later step's. */
static enum ct_ffm_sharing share(const struct crossing_search *search, uint32_t s, uint32_t last,
				 uint32_t later)
{
	const struct ct_ffm_graph *graph = &search->program->graph;
	const struct ct_ffm_streams *streams = &search->program->streams;
	uint32_t stream = graph->work[last].stream;
	const uint32_t *first = streams->work + streams->first[stream];
	const uint32_t *at = streams->work + streams->first[stream + 1];
	uint64_t since_ns = waited_before(graph, s, stream);
	enum ct_ffm_sharing most = CT_FFM_SHARES_NOTHING;
	unsigned left = PENDING;

	while (at > first && at[-1] != last)
		at--;
	for (; at > first && left && most != CT_FFM_SHARES; at--, left--) {
		enum ct_ffm_sharing sharing;

		if (at[-1] != last && end_of(&graph->work[at[-1]]) <= since_ns)
			break;
		sharing = ct_ffm_share(search->touched, in_uses(search, graph->work[at[-1]].step),
				       in_uses(search, later));
		most = sharing > most ? sharing : most;
	}
	return most;
}

static int add(struct crossing_search *search, const struct ct_ffm_crossing *crossing)
{
	struct ct_ffm_crossings *crossings = search->crossings;

	if (ct_array_grow(&crossings->crossing, crossings->count, sizeof(*crossings->crossing)) < 0)
		return -ENOMEM;
	crossings->crossing[crossings->count++] = *crossing;
	return 0;
}

/* The thread asks, before it waits again, for work that only this wait keeps behind `last`. */
static int look_behind(struct crossing_search *search, uint32_t s, uint32_t last)
{
	const struct ct_ffm_graph *graph = &search->program->graph;
	uint32_t next = search->gap[s].next;
	int err = 0;

	for (uint32_t t = s + 1; t < graph->steps && t <= s + LATER && err == 0; t++) {
		enum ct_ffm_sharing sharing;

		if (graph->step[t].thread != graph->step[s].thread)
			return 0;
		if (search->work[t] != CT_FFM_NONE && !is_behind(search, t, last)) {
			sharing = share(search, s, last, t);
			if (sharing != CT_FFM_SHARES_NOTHING)
				err = add(search, &(struct ct_ffm_crossing){
						      s, last, search->work[t], (uint8_t)sharing});
		}
		if (t == next)
			return err;
	}
	return err;
}

static int look_at(struct crossing_search *search, uint32_t s)
{
	const struct ct_ffm_program *program = search->program;
	const struct ct_ffm_graph *graph = &program->graph;
	const struct ct_ffm_step *step = &graph->step[s];
	int err = 0;

	for (uint32_t stream = 0; stream < graph->streams && err == 0; stream++) {
		uint32_t last = ct_ffm_covers(graph, step, stream)
				    ? ct_ffm_last_covered(graph, &program->streams, step, stream)
				    : CT_FFM_NONE;

		if (last != CT_FFM_NONE && end_of(&graph->work[last]) > ct_ffm_launch_at(step) &&
		    graph->work[last].step != s)
			err = look_behind(search, s, last);
	}
	return err;
}

int ct_ffm_crossings_init(struct ct_ffm_crossings *crossings, const struct ct_ffm_program *program,
			  const struct ct_ffm_gap *gap, const struct ct_ffm_touched *touched,
			  const uint32_t *in_uses)
{
	struct crossing_search search = {.crossings = crossings,
					 .program = program,
					 .gap = gap,
					 .touched = touched,
					 .in_uses = in_uses};
	int err;

	*crossings = (struct ct_ffm_crossings){.count = 0};
	err = list_works(&search);
	for (uint32_t s = 0; s < program->graph.steps && err == 0; s++)
		if (program->graph.step[s].problem & (CT_FFM_UNNECESSARY | CT_FFM_MISPLACED))
			err = look_at(&search, s);
	ct_large_free(search.work);
	return err;
}

void ct_ffm_crossings_fini(struct ct_ffm_crossings *crossings)
{
	free(crossings->crossing);
	*crossings = (struct ct_ffm_crossings){.count = 0};
}

static int compare_behind(const void *a, const void *b)
{
	const struct ct_ffm_crossing *x = a, *y = b;

	if (x->behind != y->behind)
		return x->behind < y->behind ? -1 : 1;
	return x->before < y->before ? -1 : x->before > y->before;
}

int ct_ffm_keep_order(struct ct_ffm_graph *graph, const struct ct_ffm_crossings *crossings)
{
	size_t edges = graph->works ? graph->first_before[graph->works] : 0, to = 0, next = 0;
	struct ct_ffm_crossing *sorted;
	uint32_t *before;

	if (!crossings->count)
		return 0;
	sorted = malloc(crossings->count * sizeof(*sorted));
	before = ct_large_alloc(edges + crossings->count + 1, sizeof(*before));
	if (!sorted || !before) {
		free(sorted);
		ct_large_free(before);
		return -ENOMEM;
	}
	memcpy(sorted, crossings->crossing, crossings->count * sizeof(*sorted));
	qsort(sorted, crossings->count, sizeof(*sorted), compare_behind);
	for (size_t w = 0; w < graph->works; w++) {
		size_t from = graph->first_before[w], end = graph->first_before[w + 1];

		graph->first_before[w] = to;
		for (; from < end; from++)
			before[to++] = graph->before[from];
		for (; next < crossings->count && sorted[next].behind == w; next++)
			before[to++] = sorted[next].before;
	}
	graph->first_before[graph->works] = to;
	ct_large_free(graph->before);
	graph->before = before;
	free(sorted);
	return 0;
}
