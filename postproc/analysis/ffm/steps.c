/* SPDX-License-Identifier: Apache-2.0 */
/* Calls to steps: thread by thread, each with the thread's own work before it. */
#include "base/array.h"
#include "base/large.h"
#include "postproc/analysis/ffm/make.h"
#include <errno.h>
#include <stdlib.h>

uint32_t ct_ffm_stream_number(struct ct_ffm_making *making, uint64_t id)
{
	struct ct_ffm_graph *graph = &making->program->graph;
	union ct_map_value *number = ct_map_put(&making->streams, id, 0);

	if (!number)
		return CT_FFM_NONE;
	if (number->number)
		return (uint32_t)number->number - 1;
	if (graph->streams == making->stream_room) {
		size_t room = making->stream_room ? 2 * making->stream_room : 16;
		uint64_t *ids = realloc(making->stream_id, room * sizeof(*ids));
		bool *is_legacy = realloc(graph->is_legacy, room * sizeof(*is_legacy));

		making->stream_id = ids ? ids : making->stream_id;
		graph->is_legacy = is_legacy ? is_legacy : graph->is_legacy;
		if (!ids || !is_legacy)
			return CT_FFM_NONE;
		making->stream_room = room;
	}
	making->stream_id[graph->streams] = id;
	graph->is_legacy[graph->streams] = !ct_map_find(&making->waits.independent, id, 0);
	number->number = ++graph->streams;
	return graph->streams - 1;
}

static bool is_step(const struct ct_row_call *call)
{
	return (call->kind == CT_SPAN_RUNTIME || call->kind == CT_SPAN_DRIVER) &&
	       !(call->flags & CT_SPAN_INNER);
}

static int compare_calls(const void *a, const void *b, void *user)
{
	const struct ct_row_call *rows = user;
	const struct ct_row_call *x = &rows[*(const uint32_t *)a], *y = &rows[*(const uint32_t *)b];

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	/* The outer one of two first. */
	return x->duration_ns != y->duration_ns ? (x->duration_ns > y->duration_ns ? -1 : 1) : 0;
}

/* Rows of a thread come in the order of their ends, which is that of their begins unless calls are
 * made within others. */
static void sort_calls(const struct ct_ffm_program *program, uint32_t *call, size_t count)
{
	void *rows = (void *)(uintptr_t)program->calls;

	for (size_t i = 1; i < count; i++)
		if (compare_calls(&call[i - 1], &call[i], rows) > 0) {
			qsort_r(call, count, sizeof(*call), compare_calls, rows);
			return;
		}
}

/* A thread and where its next call goes. */
struct place {
	uint32_t thread;
	size_t count, next;
};

static int compare_places(const void *a, const void *b)
{
	uint32_t x = ((const struct place *)a)->thread, y = ((const struct place *)b)->thread;

	return x < y ? -1 : x > y;
}

/* By thread, with how many calls each makes. */
static int count_threads(const struct ct_ffm_program *program, struct place **out, size_t *threads)
{
	struct ct_map numbers = {0}; /* thread -> place + 1 */
	struct place *place = NULL;
	int err = 0;

	*threads = 0;
	for (size_t i = 0; i < program->call_count && err == 0; i++) {
		union ct_map_value *number;

		if (!is_step(&program->calls[i]))
			continue;
		number = ct_map_put(&numbers, program->calls[i].thread, 0);
		err = number ? 0 : -ENOMEM;
		if (number && !number->number) {
			err = ct_array_grow(&place, *threads, sizeof(*place));
			if (err < 0)
				break;
			place[*threads] = (struct place){.thread = program->calls[i].thread};
			number->number = ++*threads;
		}
		if (err == 0)
			place[number->number - 1].count++;
	}
	ct_map_fini(&numbers);
	if (*threads)
		qsort(place, *threads, sizeof(*place), compare_places);
	*out = place;
	return err;
}

static int list_calls(struct ct_ffm_making *making, size_t *count)
{
	struct ct_ffm_program *program = making->program;
	struct place *place;
	size_t threads;
	int err = count_threads(program, &place, &threads);

	program->call = ct_large_alloc(program->call_count + 1, sizeof(*program->call));
	if (!program->call)
		err = -ENOMEM;
	*count = 0;
	for (size_t t = 0; t < threads; t++) {
		place[t].next = *count;
		*count += place[t].count;
	}
	for (size_t i = 0; i < program->call_count && err == 0; i++)
		if (is_step(&program->calls[i])) {
			const struct place key = {.thread = program->calls[i].thread};
			struct place *of =
			    bsearch(&key, place, threads, sizeof(*place), compare_places);

			program->call[of->next++] = (uint32_t)i;
		}
	for (size_t t = 0; t < threads && err == 0; t++)
		sort_calls(program, program->call + place[t].next - place[t].count, place[t].count);
	free(place);
	return err;
}

/* Sets the scope that its name waits for. */
static int set_scope(struct ct_ffm_making *making, const struct ct_row_call *call,
		     struct ct_ffm_step *step, enum ct_wait what)
{
	step->of = CT_FFM_NONE;
	if (what == CT_WAIT_FOR_NONE || (what == CT_WAIT_FOR_OWN && !step->wait_ns)) {
		step->scope = CT_FFM_NOTHING;
	} else if (what == CT_WAIT_FOR_DEVICE) {
		step->scope = CT_FFM_DEVICE;
	} else if (call->stream == 0) {
		step->scope = CT_FFM_LEGACY;
	} else {
		step->scope = CT_FFM_STREAM;
		step->of = ct_ffm_stream_number(making, call->stream);
		return step->of == CT_FFM_NONE ? -ENOMEM : 0;
	}
	return 0;
}

/* previous: the thread's step before it, or NULL. */
static int fill_step(struct ct_ffm_making *making, size_t s, const struct ct_ffm_step *previous)
{
	struct ct_ffm_program *program = making->program;
	const struct ct_row_call *call = &program->calls[program->call[s]];
	struct ct_ffm_step *step = &program->graph.step[s];
	struct ct_wait_kind kind = ct_waits_kind(&making->waits, call);
	enum ct_wait what = kind.what;
	int err = 0;

	step->begin_ns = previous ? ct_ffm_end(previous) : call->begin_ns;
	step->work_ns = call->begin_ns - step->begin_ns;
	step->wait_ns = what == CT_WAIT_FOR_NONE
			    ? 0
			    : ct_waits_of(&making->waits, call, what, NULL, NULL, &err);
	if (step->wait_ns > call->duration_ns)
		step->wait_ns = call->duration_ns;
	step->launch_ns = call->duration_ns - step->wait_ns;
	step->evidence = (uint8_t)kind.evidence;
	return set_scope(making, call, step, what);
}

/* Calls within others are part of those. */
int ct_ffm_make_steps(struct ct_ffm_making *making)
{
	struct ct_ffm_program *program = making->program;
	struct ct_ffm_graph *graph = &program->graph;
	uint32_t thread = 0, threads = 0;
	size_t count;
	int err = list_calls(making, &count);

	graph->step = err == 0 ? ct_large_alloc(count + 1, sizeof(*graph->step)) : NULL;
	if (err == 0 && !graph->step)
		return -ENOMEM;
	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_row_call *call = &program->calls[program->call[i]];
		struct ct_ffm_step *step = &graph->step[graph->steps];
		bool is_first = graph->steps == 0 || call->thread != thread;

		if (!is_first && call->begin_ns < ct_ffm_end(step - 1))
			continue;
		program->call[graph->steps] = program->call[i];
		threads += is_first;
		thread = call->thread;
		step->thread = threads - 1;
		err = fill_step(making, graph->steps, is_first ? NULL : step - 1);
		if (err == 0 && ct_ffm_end(step) > graph->end_ns)
			graph->end_ns = ct_ffm_end(step);
		graph->steps++;
	}
	if (err == 0)
		err = ct_ffm_steps_by(program, CT_FFM_BY_CORRELATION, &making->by_correlation);
	return err == 0 ? ct_ffm_steps_by(program, CT_FFM_BY_LAUNCH, &making->by_launch) : err;
}
