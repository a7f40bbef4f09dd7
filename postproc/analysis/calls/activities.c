/* SPDX-License-Identifier: Apache-2.0 */
/* Activities of a part into kernels, copies and streams. */
#include "base/array.h"
#include "postproc/analysis/calls/make.h"
#include "postproc/facts/source_name.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Kernels of one name in different parts are one. Returns the number + 1, 0: memory is short. */
static uint32_t intern_kernel(struct ct_calls_making *making, const char *symbol, bool is_traced,
			      bool is_timed)
{
	struct ct_calls *calls = making->calls;
	size_t length = strlen(symbol);
	char *key = malloc(length + 1);
	bool is_new = false;
	uint32_t number;

	if (!key)
		return 0;
	key[0] = (char)(is_traced << 1 | is_timed);
	memcpy(key + 1, symbol, length);
	number = ct_intern_add(&making->kernel_names, key, length + 1, &is_new);
	free(key);
	if (!number || !is_new)
		return number;
	if (ct_array_reserve(&calls->kernel, &making->kernel_room, calls->kernels + 1,
			     sizeof(*calls->kernel)) < 0)
		return 0;
	calls->kernel[calls->kernels++] = (struct ct_calls_kernel){
	    .symbol = symbol,
	    .name = ct_source_name(symbol),
	    .is_traced = is_traced,
	    .is_timed = is_timed,
	};
	return calls->kernel[number - 1].name ? number : 0;
}

static const struct ct_event_launch *launch_of(const struct ct_calls_making *making,
					       uint32_t launch)
{
	const union ct_map_value *event = ct_map_find(&making->launches, launch, 0);

	return event ? event->pointer : NULL;
}

uint32_t ct_calls_kernel_of(struct ct_calls_making *making, const struct ct_row_activity *activity)
{
	bool is_traced = activity->flags & CT_ACTIVITY_TRACED;
	const struct ct_event_launch *launch =
	    activity->name ? NULL : launch_of(making, activity->launch);
	uint32_t name = launch ? launch->kernel_name : activity->name;
	union ct_map_value *known = ct_map_put(&making->kernels, name, is_traced);

	if (!known)
		return 0;
	if (!known->number)
		known->number = intern_kernel(
		    making, ct_trace_string(making->calls->trace, making->part->part, name),
		    is_traced, true);
	return (uint32_t)known->number;
}

static struct ct_calls_stream *stream_of(struct ct_calls_making *making,
					 const struct ct_row_activity *activity)
{
	struct ct_calls *calls = making->calls;
	union ct_map_value *known =
	    ct_map_put(&making->streams, activity->device, activity->stream);

	if (!known)
		return NULL;
	if (known->number)
		return &calls->stream[known->number - 1];
	if (ct_array_reserve(&calls->stream, &making->stream_room, calls->streams + 1,
			     sizeof(*calls->stream)) < 0)
		return NULL;
	calls->stream[calls->streams] = (struct ct_calls_stream){
	    .part = making->part->part,
	    .device = activity->device,
	    .stream = activity->stream,
	};
	known->number = ++calls->streams;
	return &calls->stream[known->number - 1];
}

static void add_copy(struct ct_calls_copies *copies, const struct ct_row_activity *activity)
{
	copies->count++;
	copies->bytes += activity->bytes;
	copies->total_ns += activity->duration_ns;
	if (activity->flags & CT_ACTIVITY_PAGEABLE) {
		copies->pageable.count++;
		copies->pageable.bytes += activity->bytes;
		copies->pageable.total_ns += activity->duration_ns;
	}
}

static int add_activity(struct ct_calls_making *making, const struct ct_row_activity *activity)
{
	uint32_t copy = activity->copy < CT_COPY_KINDS ? activity->copy : CT_COPY_NONE;
	struct ct_calls *calls = making->calls;
	struct ct_calls_stream *stream;
	uint32_t kernel = 0;

	if (activity->flags & CT_ACTIVITY_OURS) {
		add_copy(&calls->tracer, activity);
		return 0;
	}
	stream = stream_of(making, activity);
	if (activity->kind == CT_ACTIVITY_KERNEL)
		kernel = ct_calls_kernel_of(making, activity);
	if (!stream || (activity->kind == CT_ACTIVITY_KERNEL && !kernel))
		return -ENOMEM;
	stream->total_ns += activity->duration_ns;
	calls->device_ns += activity->duration_ns;
	if (activity->kind == CT_ACTIVITY_KERNEL) {
		stream->kernels++;
		ct_times_add(&calls->kernel[kernel - 1].times, activity->duration_ns);
	} else if (activity->kind == CT_ACTIVITY_COPY) {
		stream->copies++;
		add_copy(&calls->copy[copy], activity);
	} else if (activity->kind == CT_ACTIVITY_SET) {
		stream->sets++;
		add_copy(&calls->set, activity);
	}
	return 0;
}

/* Adds a launch of a part whose devices were not watched: it has no times. */
static int add_launch(struct ct_calls_making *making, const struct ct_event_launch *launch)
{
	bool is_traced = launch->flags & CT_LAUNCH_TRACED;
	const char *symbol =
	    ct_trace_string(making->calls->trace, making->part->part, launch->kernel_name);
	uint32_t kernel = intern_kernel(making, symbol, is_traced, false);

	if (!kernel)
		return -ENOMEM;
	making->calls->kernel[kernel - 1].times.count++;
	return 0;
}

static int each_launch(struct ct_calls_making *making)
{
	const struct ct_host_event *events;
	size_t count = ct_trace_events(making->calls->trace, CT_EVENT_LAUNCH, &events);
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++) {
		union ct_map_value *known;

		if (events[i].part != making->part->part)
			continue;
		if (making->activity_count == 0) {
			err = add_launch(making, events[i].launch);
			continue;
		}
		known = ct_map_put(&making->launches, events[i].launch->launch, 0);
		if (known)
			known->pointer = (void *)(uintptr_t)events[i].launch;
		err = known ? 0 : -ENOMEM;
	}
	return err;
}

/* Launches are looked up only by kernels that have no name of their own. */
static bool needs_launches(const struct ct_calls_making *making)
{
	for (size_t i = 0; i < making->activity_count; i++)
		if (making->activity[i].kind == CT_ACTIVITY_KERNEL && !making->activity[i].name)
			return true;
	return making->activity_count == 0 && making->call_count > 0;
}

int ct_calls_add_activities(struct ct_calls_making *making)
{
	int err = needs_launches(making) ? each_launch(making) : 0;

	for (size_t i = 0; i < making->activity_count && err == 0; i++)
		err = add_activity(making, &making->activity[i]);
	making->part->activities = making->activity_count;
	return err;
}
