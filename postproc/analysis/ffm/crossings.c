/* SPDX-License-Identifier: Apache-2.0 */
/* From addresses to objects that live, in the order of events; works before and behind waits,
 * stream by stream. */
#include "postproc/analysis/ffm/crossings.h"
#include "base/array.h"
#include "base/large.h"
#include "trace/read/live.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LATER 256u  /* steps behind a wait, and before it, that are looked at */
#define PENDING 64u /* works of a stream that a wait may be for */

struct gathering {
	struct ct_ffm_touched *touched;
	const struct ct_ffm_program *program;
	const struct ct_ffm_memory *memory;
	struct ct_live live;
	size_t allocated_at; /* objects that have been looked at */
};

/* An object takes the place of those that it overlaps. */
static int bear(struct gathering *gathering, uint64_t index)
{
	const struct ct_ffm_memory *memory = gathering->memory;
	int err = 0;

	for (; gathering->allocated_at < memory->objects &&
	       memory->object[gathering->allocated_at].allocated_at < index && err == 0;
	     gathering->allocated_at++) {
		const struct ct_ffm_object *object = &memory->object[gathering->allocated_at];
		const struct ct_live_range *other;

		if (object->begin >= object->end)
			continue;
		while ((other = ct_live_overlap(&gathering->live, object->begin, object->end)))
			ct_live_remove(&gathering->live, other->begin, other->object);
		err = ct_live_insert(&gathering->live,
				     &(struct ct_live_range){object->begin, object->end,
							     (uint32_t)gathering->allocated_at});
	}
	return err;
}

static void add_touch(struct gathering *gathering, uint32_t step, uint32_t object, bool writes)
{
	struct ct_ffm_touched *touched = gathering->touched;

	touched->touch[touched->touches++] = (struct ct_ffm_touch){step, object, writes};
}

static int take_given(struct gathering *gathering, uint32_t step,
		      const struct ct_event_given *given, uint64_t index)
{
	const struct ct_live_range *range;
	int err = bear(gathering, index);

	if (given->flags & CT_GIVEN_MORE)
		gathering->touched->is_known[step] = false;
	if (err < 0 || !given->address)
		return err;
	range = ct_live_find(&gathering->live, given->address);
	if (range && gathering->memory->object[range->object].freed_at > index)
		add_touch(gathering, step, range->object, !(given->flags & CT_GIVEN_READS));
	else
		gathering->touched->is_known[step] = false;
	return 0;
}

/* Launches of the part have such an event at least. */
static int take_launches(struct gathering *gathering, struct ct_trace *trace, uint32_t part)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_GIVEN, &events);
	struct ct_by_number by_launch;
	int err = ct_ffm_steps_by(gathering->program, CT_FFM_BY_LAUNCH, &by_launch);

	for (size_t i = 0; i < count && err == 0; i++) {
		uint32_t step = events[i].part == part
				    ? ct_by_number_get(&by_launch, events[i].given->launch)
				    : 0;

		if (step)
			gathering->touched->is_known[step - 1] = true;
	}
	for (size_t i = 0; i < count && err == 0; i++) {
		uint32_t step = events[i].part == part
				    ? ct_by_number_get(&by_launch, events[i].given->launch)
				    : 0;

		if (step)
			err = take_given(gathering, step - 1, events[i].given, events[i].index);
	}
	ct_by_number_fini(&by_launch);
	return err;
}

/* Pageable memory is no object: no other work touches it but copies, which the host waits for. */
static void take_copies(struct gathering *gathering)
{
	const struct ct_ffm_memory *memory = gathering->memory;

	for (size_t c = 0; c < memory->copies; c++) {
		const struct ct_ffm_copy *copy = &memory->copy[c];

		if (copy->step == CT_FFM_NONE)
			continue;
		gathering->touched->is_known[copy->step] = true;
		if (copy->target_object != CT_FFM_NONE)
			add_touch(gathering, copy->step, copy->target_object, true);
		if (copy->source_object != CT_FFM_NONE)
			add_touch(gathering, copy->step, copy->source_object, false);
	}
}

static int compare_touches(const void *a, const void *b)
{
	const struct ct_ffm_touch *x = a, *y = b;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	return x->object < y->object ? -1 : x->object > y->object;
}

int ct_ffm_touched_init(struct ct_ffm_touched *touched, const struct ct_ffm_program *program,
			const struct ct_ffm_memory *memory, struct ct_trace *trace, uint32_t part)
{
	struct gathering gathering = {.touched = touched, .program = program, .memory = memory};
	const struct ct_host_event *events;
	size_t count = ct_trace_events(trace, CT_EVENT_GIVEN, &events);
	int err;

	*touched = (struct ct_ffm_touched){
	    .touch = ct_large_alloc(count + 2 * memory->copies + 1, sizeof(*touched->touch)),
	    .is_known = ct_large_alloc(program->graph.steps + 1, sizeof(*touched->is_known))};
	err =
	    touched->touch && touched->is_known ? take_launches(&gathering, trace, part) : -ENOMEM;
	if (err == 0)
		take_copies(&gathering);
	if (touched->touches)
		qsort(touched->touch, touched->touches, sizeof(*touched->touch), compare_touches);
	ct_live_fini(&gathering.live);
	return err;
}

void ct_ffm_touched_fini(struct ct_ffm_touched *touched)
{
	ct_large_free(touched->touch);
	ct_large_free(touched->is_known);
	*touched = (struct ct_ffm_touched){.touches = 0};
}

static const struct ct_ffm_touch *first_of(const struct ct_ffm_touched *touched, uint32_t step)
{
	size_t low = 0, high = touched->touches;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (touched->touch[middle].step < step)
			low = middle + 1;
		else
			high = middle;
	}
	return touched->touch + low;
}

enum ct_ffm_sharing ct_ffm_share(const struct ct_ffm_touched *touched, uint32_t a, uint32_t b)
{
	const struct ct_ffm_touch *end = touched->touch + touched->touches, *x, *y;

	if (!touched->touch || a == CT_FFM_NONE || b == CT_FFM_NONE)
		return CT_FFM_SHARES_PERHAPS;
	for (x = first_of(touched, a); x < end && x->step == a; x++)
		for (y = first_of(touched, b); y < end && y->step == b; y++)
			if (x->object == y->object && (x->writes || y->writes))
				return CT_FFM_SHARES;
	return touched->is_known[a] && touched->is_known[b] ? CT_FFM_SHARES_NOTHING
							    : CT_FFM_SHARES_PERHAPS;
}

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

/* Returns how the works that the wait is for in a stream, up to `last`, and a later step's share
 * memory. */
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
