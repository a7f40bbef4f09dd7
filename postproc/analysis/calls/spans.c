/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of a part into functions, threads, waits and paths. */
#include "base/array.h"
#include "postproc/analysis/calls/make.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOT_READY 600 /* cudaErrorNotReady, CUDA_ERROR_NOT_READY: an answer and no failure */

static bool is_call(const struct ct_row_call *row)
{
	return row->kind == CT_SPAN_RUNTIME || row->kind == CT_SPAN_DRIVER;
}

/* Functions of one name in different parts are one. Returns the number + 1, 0: memory is short. */
static uint32_t intern_function(struct ct_calls_making *making, const struct ct_row_call *row)
{
	struct ct_calls *calls = making->calls;
	const char *name = ct_trace_string(calls->trace, making->part->part, row->name);
	bool is_inner = row->flags & CT_SPAN_INNER, is_new = false;
	size_t length = strlen(name);
	char *key = malloc(length + 2);
	uint32_t number;

	if (!key)
		return 0;
	key[0] = (char)row->kind;
	key[1] = (char)is_inner;
	memcpy(key + 2, name, length);
	number = ct_intern_add(&making->function_names, key, length + 2, &is_new);
	free(key);
	if (!number || !is_new)
		return number;
	if (ct_array_reserve(&calls->function, &making->function_room, calls->functions + 1,
			     sizeof(*calls->function)) < 0)
		return 0;
	calls->function[calls->functions++] = (struct ct_calls_function){
	    .name = name,
	    .kind = row->kind,
	    .is_inner = is_inner,
	    .wait = ct_wait_kind(is_call(row) ? name : ""),
	};
	return number;
}

static uint32_t function_of(struct ct_calls_making *making, const struct ct_row_call *row)
{
	union ct_map_value *known =
	    ct_map_put(&making->functions, row->name,
		       (uint64_t)row->kind << 32 | (row->flags & CT_SPAN_INNER));

	if (!known)
		return 0;
	if (!known->number)
		known->number = intern_function(making, row);
	return (uint32_t)known->number;
}

static struct ct_calls_thread *thread_of(struct ct_calls_making *making, uint32_t thread)
{
	struct ct_calls *calls = making->calls;
	union ct_map_value *known = ct_map_put(&making->threads, thread, 0);

	if (!known)
		return NULL;
	if (known->number)
		return &calls->thread[known->number - 1];
	if (ct_array_reserve(&calls->thread, &making->thread_room, calls->threads + 1,
			     sizeof(*calls->thread)) < 0)
		return NULL;
	calls->thread[calls->threads] =
	    (struct ct_calls_thread){.part = making->part->part, .thread = thread, .name = ""};
	known->number = ++calls->threads;
	return &calls->thread[known->number - 1];
}

/* A call that waits, as its activities tell. */
struct waiting {
	struct ct_calls_making *making;
	uint32_t function;
};

static int add_wait(void *user, const struct ct_waited *waited)
{
	const struct ct_row_activity *activity = waited->activity;
	struct waiting *waiting = user;
	struct ct_calls_making *making = waiting->making;
	struct ct_calls *calls = making->calls;
	struct ct_calls_wait like = {waiting->function, CT_WAITED_COPY, activity->copy, 0, 0};
	union ct_map_value *known;

	if (activity->flags & CT_ACTIVITY_OURS) {
		like.kind = CT_WAITED_TRACER;
		like.what = 0;
	} else if (activity->kind == CT_ACTIVITY_KERNEL) {
		like.kind = CT_WAITED_KERNEL;
		like.what = ct_calls_kernel_of(making, activity);
		if (!like.what--)
			return -ENOMEM;
	} else if (activity->kind == CT_ACTIVITY_SET) {
		like.kind = CT_WAITED_SET;
	}
	known = ct_map_put(&making->waits, (uint64_t)like.function << 8 | like.kind, like.what);
	if (!known ||
	    (!known->number && ct_array_reserve(&calls->wait, &making->wait_room, calls->waits + 1,
						sizeof(*calls->wait)) < 0))
		return -ENOMEM;
	if (!known->number) {
		calls->wait[calls->waits] = like;
		known->number = ++calls->waits;
	}
	calls->wait[known->number - 1].count++;
	calls->wait[known->number - 1].total_ns += waited->until_ns - waited->from_ns;
	return 0;
}

static uint64_t waited_ns(struct ct_calls_making *making, const struct ct_row_call *row,
			  uint32_t function, int *err)
{
	struct ct_wait_kind *known = &making->calls->function[function].wait, wait;
	struct waiting waiting = {making, function};

	*err = 0;
	if (making->activity_count == 0)
		return known->is_synchronize ? row->duration_ns : 0;
	if (!is_call(row) || row->flags & CT_SPAN_INNER)
		return 0;
	wait = ct_waits_kind(&making->waiting, row);
	if (wait.what == CT_WAIT_FOR_NONE)
		return 0;
	/* Some places that a function is called from are known by coincidence alone. */
	if (known->what == CT_WAIT_FOR_NONE)
		*known = wait;
	return ct_waits_of(&making->waiting, row, wait.what, add_wait, &waiting, err);
}

static int add_path(struct ct_calls_making *making, const struct ct_row_call *row,
		    const struct ct_calls_path *like)
{
	uint32_t node = row->stack <= making->nodes ? making->node[row->stack] : 0;
	union ct_map_value *known = ct_map_put(&making->paths, like->function, node);
	struct ct_calls *calls = making->calls;
	struct ct_calls_path *path;

	if (!known ||
	    (!known->number && ct_array_reserve(&calls->path, &making->path_room, calls->paths + 1,
						sizeof(*calls->path)) < 0))
		return -ENOMEM;
	if (!known->number) {
		calls->path[calls->paths] =
		    (struct ct_calls_path){.function = like->function, .node = node};
		known->number = ++calls->paths;
	}
	path = &calls->path[known->number - 1];
	path->count++;
	path->total_ns += row->duration_ns;
	path->waited_ns += like->waited_ns;
	path->device_ns += like->device_ns;
	path->bytes += row->bytes;
	return 0;
}

/* A part whose devices nothing has watched: what its calls say of copies. */
static void add_copy(struct ct_calls *calls, const struct ct_row_call *row)
{
	struct ct_calls_copies *copies;

	if (row->copy == CT_COPY_NONE || row->copy >= CT_COPY_KINDS)
		return;
	copies = &calls->copy[row->copy];
	copies->count++;
	copies->bytes += row->bytes;
	copies->total_ns += row->duration_ns;
	calls->copies_are_calls = true;
}

/* Adds what only calls have that are not made within others. */
static int add_outer(struct ct_calls_making *making, const struct ct_row_call *row,
		     const struct ct_calls_path *like)
{
	struct ct_calls_thread *thread = thread_of(making, row->thread);
	struct ct_calls *calls = making->calls;

	if (!thread)
		return -ENOMEM;
	thread->count++;
	thread->total_ns += row->duration_ns;
	thread->waited_ns += like->waited_ns;
	making->part->calls++;
	calls->calls_ns += row->duration_ns;
	if (making->activity_count == 0)
		add_copy(calls, row);
	return making->node ? add_path(making, row, like) : 0;
}

/* A thread that only says what it does is a thread, too. */
static int add_span(struct ct_calls_making *making, const struct ct_row_call *row)
{
	making->part->spans++;
	return thread_of(making, row->thread) ? 0 : -ENOMEM;
}

static int add_row(struct ct_calls_making *making, const struct ct_row_call *row)
{
	uint32_t number = function_of(making, row);
	struct ct_calls_path like = {.function = number - 1};
	struct ct_calls_function *function;
	int err;

	if (!number)
		return -ENOMEM;
	like.waited_ns = waited_ns(making, row, like.function, &err);
	like.device_ns = is_call(row) ? ct_caused_by(&making->caused, row) : 0;
	function = &making->calls->function[like.function];
	ct_times_add(&function->times, row->duration_ns);
	function->bytes += row->bytes;
	function->failed += row->result != 0 && row->result != NOT_READY;
	function->open += (row->flags & CT_SPAN_OPEN) != 0;
	function->waited_ns += like.waited_ns;
	function->device_ns += like.device_ns;
	if (err == 0 && !is_call(row))
		err = add_span(making, row);
	else if (err == 0 && row->flags & CT_SPAN_INNER)
		making->part->inner++;
	else if (err == 0)
		err = add_outer(making, row, &like);
	return err;
}

/* The last name of a thread counts. */
static void name_threads(struct ct_calls_making *making)
{
	struct ct_calls *calls = making->calls;
	const struct ct_host_event *events;
	size_t count = ct_trace_events(calls->trace, CT_EVENT_THREAD, &events);

	for (size_t i = 0; i < count; i++) {
		const struct ct_event_thread *event = events[i].thread;
		union ct_map_value *known = ct_map_find(&making->threads, event->thread, 0);

		if (events[i].part == making->part->part && known)
			calls->thread[known->number - 1].name =
			    ct_trace_string(calls->trace, events[i].part, event->name);
	}
}

int ct_calls_add_calls(struct ct_calls_making *making)
{
	int err = 0;

	for (size_t i = 0; i < making->call_count && err == 0; i++)
		err = add_row(making, &making->call[i]);
	name_threads(making);
	if (making->part->calls && making->activity_count == 0)
		making->calls->waits_are_bounds = true;
	return err;
}
