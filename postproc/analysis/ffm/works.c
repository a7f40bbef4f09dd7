/* SPDX-License-Identifier: Apache-2.0 */
/* Activities to works, in the order in which they were launched; events that streams and threads
 * wait for. */
#include "base/large.h"
#include "postproc/analysis/ffm/make.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
	if (!making->work || ct_keyed_init(&making->launched, making->program->activity_count) < 0)
		return -ENOMEM;
	return ct_keyed_init(&making->begun, making->work_room);
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
	    .other = CT_FFM_NONE};
	uint64_t launched_ns = activity->begin_ns;

	if (work.work.stream == CT_FFM_NONE)
		return -ENOMEM;
	work.is_unseen = is_unseen(making, activity, work.work.step);
	if (work.work.step != CT_FFM_NONE) {
		launched_ns = ct_ffm_launch_at(&making->program->graph.step[work.work.step]);
		if (work.work.begin_ns < launched_ns)
			work.work.begin_ns = launched_ns;
	}
	ct_keyed_add(&making->launched, launched_ns, (uint32_t)making->works);
	return add_work(making, &work);
}

/* ORDER events of the part, by time; those of the same time as they stand. */
static int list_orders(struct ct_ffm_making *making, struct ct_keyed *orders)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(making->trace, CT_EVENT_ORDER, &events);
	int err = ct_keyed_init(orders, count);

	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_event_order *order = events[i].order;

		if (events[i].part != making->part)
			continue;
		if (order->stream && ct_ffm_stream_number(making, order->stream) == CT_FFM_NONE)
			return -ENOMEM;
		ct_keyed_add(orders, order->header.time_ns, (uint32_t)i);
	}
	return err == 0 ? ct_keyed_sort(orders) : err;
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
	ct_keyed_add(&making->begun, making->work[number].work.begin_ns, number);
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
	if (err < 0)
		return err;
	ct_keyed_add(&making->begun, work.work.begin_ns, number);
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

/* Waits for what the thread's cudaEventSynchronize has waited for. */
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

/* Works as they were launched, and ORDER events; of the same time works come first. */
static int take_all(struct walk *walk, const struct ct_keyed *orders)
{
	const struct ct_keyed *launched = &walk->making->launched;
	const struct ct_host_event *events;
	size_t w = 0, o = 0;
	int err = 0;

	ct_trace_events(walk->making->trace, CT_EVENT_ORDER, &events);
	while ((w < launched->count || o < orders->count) && err == 0)
		if (o == orders->count ||
		    (w < launched->count && launched->key[w] <= orders->key[o]))
			err = launch(walk, launched->number[w++]);
		else
			err = take_order(walk, events[orders->number[o++]].order);
	return err;
}

static int walk_works(struct ct_ffm_making *making)
{
	struct walk walk = {.making = making};
	struct ct_keyed orders;
	int err = list_orders(making, &orders);

	walk.legacy = ct_ffm_stream_number(making, 0);
	if (err == 0 && walk.legacy != CT_FFM_NONE)
		walk.last = calloc((size_t)making->program->graph.streams + 1, sizeof(*walk.last));
	err = err == 0 && walk.last ? take_all(&walk, &orders) : -ENOMEM;
	ct_keyed_fini(&orders);
	free(walk.last);
	ct_map_fini(&walk.recorded);
	return err;
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
	uint32_t *place = ct_large_alloc(making->works + 1, sizeof(*place));
	bool is_enough;

	graph->work = ct_large_alloc(making->works + 1, sizeof(*graph->work));
	graph->first_before = ct_large_alloc(making->works + 1, sizeof(*graph->first_before));
	graph->before = ct_large_alloc(making->edges + 1, sizeof(*graph->before));
	making->program->is_unseen = ct_large_alloc(making->works + 1, 1);
	is_enough = making->program->is_unseen && place && graph->work && graph->first_before &&
		    graph->before && ct_keyed_sort(&making->begun) == 0;
	if (is_enough)
		number_works(making, making->begun.number, place);
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
	int err = reserve_works(making);

	making->has_graph_copies = has_graph_copies(making);
	for (size_t i = 0; i < program->activity_count && err == 0; i++)
		if (!(making->activities[i].flags & CT_ACTIVITY_OURS))
			err = add_activity(making, &making->activities[i]);
	making->activities = NULL;
	ct_ends_fini(&making->waits.ends);
	ct_trace_drop_rows(making->trace, making->part, CT_TABLE_ACTIVITY);
	if (err == 0)
		err = ct_keyed_sort(&making->launched);
	if (err == 0)
		err = walk_works(making);
	ct_keyed_fini(&making->launched);
	return err == 0 ? sort_works(making) : err;
}
