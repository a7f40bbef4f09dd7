/* SPDX-License-Identifier: Apache-2.0 */
/* Activities to works, in the order in which they were launched; events that streams and threads
 * wait for. */
#include "base/large.h"
#include "postproc/analysis/ffm/make.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In the order of the program: a work, or an ORDER event. */
struct item {
	uint64_t time_ns;
	const struct ct_event_order *order; /* NULL: a work */
	uint32_t number;                    /* of the work, or among events */
};

struct walk {
	struct ct_ffm_making *making;
	uint32_t *last;         /* by stream: work + 1 that was launched last */
	struct ct_map recorded; /* event -> work + 1 before its last record */
	uint32_t legacy;        /* number of the legacy default stream */
};

/* A work for each activity, and for each event that a stream waits for. */
static int reserve_works(struct ct_ffm_making *making)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(making->trace, CT_EVENT_ORDER, &events);

	making->work_room = making->program->activity_count;
	for (size_t i = 0; i < count; i++)
		making->work_room +=
		    events[i].part == making->part && events[i].order->kind == CT_ORDER_WAIT;
	making->work = ct_large_alloc(making->work_room + 1, sizeof(*making->work));
	return making->work ? 0 : -ENOMEM;
}

static int add_work(struct ct_ffm_making *making, const struct ct_ffm_making_work *work)
{
	if (making->works == making->work_room)
		return -ENOMEM;
	making->work[making->works++] = *work;
	return 0;
}

/* The work is behind this one of another stream. */
static int add_edge(struct ct_ffm_making *making, uint32_t work, uint32_t followed)
{
	if (making->edges == making->edge_room) {
		size_t room = making->edge_room ? 2 * making->edge_room : 64;
		struct ct_ffm_edge *more = realloc(making->edge, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		making->edge = more;
		making->edge_room = room;
	}
	making->edge[making->edges] = (struct ct_ffm_edge){followed, making->work[work].other};
	making->work[work].other = (uint32_t)making->edges++;
	return 0;
}

static uint32_t step_of(const struct ct_ffm_making *making, const struct ct_row_activity *activity)
{
	uint32_t step = ct_by_number_get(&making->by_correlation, activity->correlation);

	if (!step)
		step = ct_by_number_get(&making->by_launch, activity->launch);
	return step ? step - 1 : CT_FFM_NONE;
}

/* Calls that the watch has seen have ids. */
static bool is_unseen(const struct ct_ffm_making *making, const struct ct_row_activity *activity,
		      uint32_t step)
{
	const struct ct_ffm_program *program = making->program;

	if (activity->kind != CT_ACTIVITY_COPY || activity->copy != CT_COPY_TO_HOST)
		return false;
	return step == CT_FFM_NONE ? !making->has_graph_copies
				   : !program->calls[program->call[step]].id;
}

/* By the error of the clocks it may seem to begin before it was launched. */
static int add_activity(struct ct_ffm_making *making, const struct ct_row_activity *activity)
{
	struct ct_ffm_making_work work = {
	    .work = {.begin_ns = activity->begin_ns,
		     .duration_ns = activity->duration_ns,
		     .step = step_of(making, activity),
		     .stream = ct_ffm_stream_number(making, activity->stream)},
	    .launched_ns = activity->begin_ns,
	    .other = CT_FFM_NONE};

	if (work.work.stream == CT_FFM_NONE)
		return -ENOMEM;
	work.is_unseen = is_unseen(making, activity, work.work.step);
	if (work.work.step != CT_FFM_NONE) {
		work.launched_ns = ct_ffm_launch_at(&making->program->graph.step[work.work.step]);
		if (work.work.begin_ns < work.launched_ns)
			work.work.begin_ns = work.launched_ns;
	}
	return add_work(making, &work);
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (!x->order != !y->order)
		return x->order ? 1 : -1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int list_items(struct ct_ffm_making *making, struct item **out, size_t *count)
{
	const struct ct_host_event *events;
	size_t orders = ct_trace_events(making->trace, CT_EVENT_ORDER, &events);
	struct item *item = ct_large_alloc(making->works + orders + 1, sizeof(*item));

	*out = item;
	*count = 0;
	if (!item)
		return -ENOMEM;
	for (size_t w = 0; w < making->works; w++)
		item[(*count)++] =
		    (struct item){.time_ns = making->work[w].launched_ns, .number = (uint32_t)w};
	for (size_t i = 0; i < orders; i++) {
		const struct ct_event_order *order = events[i].order;

		if (events[i].part != making->part)
			continue;
		if (order->stream && ct_ffm_stream_number(making, order->stream) == CT_FFM_NONE)
			return -ENOMEM;
		item[(*count)++] = (struct item){order->header.time_ns, order, (uint32_t)i};
	}
	qsort(item, *count, sizeof(*item), compare_items);
	return 0;
}

/* The legacy default stream waits for those that it has to do with, and they for it. */
static int launch(struct walk *walk, uint32_t number)
{
	struct ct_ffm_making *making = walk->making;
	const struct ct_ffm_graph *graph = &making->program->graph;
	uint32_t stream = making->work[number].work.stream;
	int err = 0;

	for (uint32_t s = 0; s < graph->streams && stream == walk->legacy && err == 0; s++)
		if (s != stream && graph->is_legacy[s] && walk->last[s])
			err = add_edge(making, number, walk->last[s] - 1);
	if (stream != walk->legacy && graph->is_legacy[stream] && walk->last[walk->legacy])
		err = add_edge(making, number, walk->last[walk->legacy] - 1);
	walk->last[stream] = number + 1;
	return err;
}

static uint64_t end_of(const struct ct_ffm_making *making, uint32_t work)
{
	return making->work[work].work.begin_ns + making->work[work].work.duration_ns;
}

/* cudaStreamWaitEvent: a work 0 long. */
static int wait_in_stream(struct walk *walk, const struct ct_event_order *order, uint32_t stream)
{
	struct ct_ffm_making *making = walk->making;
	uint64_t time = order->header.time_ns;
	const union ct_map_value *followed = ct_map_find(&walk->recorded, order->event, 0);
	struct ct_ffm_making_work work = {
	    .work = {.begin_ns = time,
		     .step = ct_ffm_step_before(making->program, order->thread, time),
		     .stream = stream},
	    .launched_ns = time,
	    .other = CT_FFM_NONE};
	uint32_t number = (uint32_t)making->works;
	int err;

	if (!followed || !followed->number)
		return 0;
	if (end_of(making, (uint32_t)followed->number - 1) > work.work.begin_ns)
		work.work.begin_ns = end_of(making, (uint32_t)followed->number - 1);
	if (walk->last[stream] && end_of(making, walk->last[stream] - 1) > work.work.begin_ns)
		work.work.begin_ns = end_of(making, walk->last[stream] - 1);
	err = add_work(making, &work);
	if (err == 0)
		err = add_edge(making, number, (uint32_t)followed->number - 1);
	walk->last[stream] = number + 1;
	return err;
}

static int record(struct walk *walk, const struct ct_event_order *order, uint32_t stream)
{
	union ct_map_value *before = ct_map_put(&walk->recorded, order->event, 0);

	if (!before)
		return -ENOMEM;
	before->number = walk->last[stream];
	return 0;
}

/* What the thread's cudaEventSynchronize has waited for. */
static void wait_on_host(struct walk *walk, const struct ct_event_order *order)
{
	const struct ct_ffm_making *making = walk->making;
	const struct ct_ffm_program *program = making->program;
	uint32_t s = ct_ffm_step_before(making->program, order->thread, order->header.time_ns);
	const union ct_map_value *before = ct_map_find(&walk->recorded, order->event, 0);
	struct ct_ffm_step *step;

	if (s == CT_FFM_NONE || !strstr(ct_trace_string(making->trace, making->part,
							program->calls[program->call[s]].name),
					"EventSynchronize"))
		return;
	step = &program->graph.step[s];
	step->scope = before && before->number ? CT_FFM_ONE_WORK : CT_FFM_NOTHING;
	step->of = before && before->number ? (uint32_t)before->number - 1 : CT_FFM_NONE;
}

static int take_order(struct walk *walk, const struct ct_event_order *order)
{
	uint32_t stream = ct_ffm_stream_number(walk->making, order->stream);

	switch (order->kind) {
	case CT_ORDER_RECORD:
		return record(walk, order, stream);
	case CT_ORDER_WAIT:
		return wait_in_stream(walk, order, stream);
	case CT_ORDER_EVENT:
		wait_on_host(walk, order);
		return 0;
	default:
		return 0;
	}
}

static int take_items(struct ct_ffm_making *making, const struct item *item, size_t count)
{
	struct walk walk = {.making = making, .legacy = ct_ffm_stream_number(making, 0)};
	int err = 0;

	if (walk.legacy == CT_FFM_NONE)
		return -ENOMEM;
	walk.last = calloc((size_t)making->program->graph.streams + 1, sizeof(*walk.last));
	if (!walk.last)
		return -ENOMEM;
	for (size_t i = 0; i < count && err == 0; i++)
		err = item[i].order ? take_order(&walk, item[i].order)
				    : launch(&walk, item[i].number);
	free(walk.last);
	ct_map_fini(&walk.recorded);
	return err;
}

static int compare_works(const void *a, const void *b, void *user)
{
	const struct ct_ffm_making_work *work = user;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	if (work[i].work.begin_ns != work[j].work.begin_ns)
		return work[i].work.begin_ns < work[j].work.begin_ns ? -1 : 1;
	if (work[i].launched_ns != work[j].launched_ns)
		return work[i].launched_ns < work[j].launched_ns ? -1 : 1;
	return i < j ? -1 : i > j;
}

/* By their begins: sorted[w] was number w, and now is number place[sorted[w]]. */
static void number_works(struct ct_ffm_making *making, const uint32_t *sorted, uint32_t *place)
{
	struct ct_ffm_graph *graph = &making->program->graph;
	size_t edges = 0;

	for (size_t w = 0; w < making->works; w++)
		place[sorted[w]] = (uint32_t)w;
	for (size_t w = 0; w < making->works; w++) {
		const struct ct_ffm_making_work *work = &making->work[sorted[w]];

		graph->work[w] = work->work;
		making->program->is_unseen[w] = work->is_unseen;
		graph->first_before[w] = edges;
		for (uint32_t e = work->other; e != CT_FFM_NONE; e = making->edge[e].next)
			graph->before[edges++] = place[making->edge[e].work];
	}
	graph->works = making->works;
	graph->first_before[graph->works] = edges;
	for (size_t s = 0; s < graph->steps; s++)
		if (graph->step[s].scope == CT_FFM_ONE_WORK)
			graph->step[s].of = place[graph->step[s].of];
}

static int sort_works(struct ct_ffm_making *making)
{
	struct ct_ffm_graph *graph = &making->program->graph;
	uint32_t *sorted = ct_large_alloc(making->works + 1, sizeof(*sorted));
	uint32_t *place = ct_large_alloc(making->works + 1, sizeof(*place));
	bool is_enough;

	graph->work = ct_large_alloc(making->works + 1, sizeof(*graph->work));
	graph->first_before = ct_large_alloc(making->works + 1, sizeof(*graph->first_before));
	graph->before = ct_large_alloc(making->edges + 1, sizeof(*graph->before));
	making->program->is_unseen = ct_large_alloc(making->works + 1, 1);
	is_enough = making->program->is_unseen && sorted && place && graph->work &&
		    graph->first_before && graph->before;
	if (is_enough) {
		for (size_t w = 0; w < making->works; w++)
			sorted[w] = (uint32_t)w;
		qsort_r(sorted, making->works, sizeof(*sorted), compare_works, making->work);
		number_works(making, sorted, place);
	}
	ct_large_free(sorted);
	ct_large_free(place);
	return is_enough ? 0 : -ENOMEM;
}

static bool has_graph_copies(const struct ct_ffm_making *making)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(making->trace, CT_EVENT_TRANSFER, &events);

	for (size_t i = 0; i < count; i++)
		if (events[i].part == making->part && events[i].transfer->flags & CT_TRANSFER_GRAPH)
			return true;
	return false;
}

int ct_ffm_make_works(struct ct_ffm_making *making)
{
	const struct ct_ffm_program *program = making->program;
	struct item *item = NULL;
	size_t count;
	int err = reserve_works(making);

	making->has_graph_copies = has_graph_copies(making);
	for (size_t i = 0; i < program->activity_count && err == 0; i++)
		if (!(program->activities[i].flags & CT_ACTIVITY_OURS))
			err = add_activity(making, &program->activities[i]);
	if (err == 0)
		err = list_items(making, &item, &count);
	if (err == 0)
		err = take_items(making, item, count);
	ct_large_free(item);
	return err == 0 ? sort_works(making) : err;
}
