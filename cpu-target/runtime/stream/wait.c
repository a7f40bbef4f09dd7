/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for streams, and asking whether one would have to. */
#include "cpu-target/runtime/base/device.h"
#include "cpu-target/runtime/stream/lists.h"
#include "cpu-target/runtime/stream/stream.h"
#include "cpu-target/runtime/stream/stream_state.h"
#include <stdlib.h>

/* With the lock held: until what `stream` has now is complete. */
static void wait_for(struct ct_stream *stream)
{
	struct ct_point point = {ct_stream_hold(stream), stream->submitted};

	ct_stream_await(&point);
	ct_point_release(&point);
}

#define EVERY_DEVICE (-1)

/* With the lock held: what is in the device's streams now, from points[count] on if that is not
 * NULL; returns the count then. */
static size_t note_pending(int device, struct ct_point *points, size_t count)
{
	for (struct ct_stream *s = ct_stream_lists_first(CT_STREAMS_PENDING, device); s;
	     s = s->in[CT_STREAMS_PENDING].next, count++)
		if (points)
			points[count] = (struct ct_point){ct_stream_hold(s), s->submitted};
	return count;
}

static size_t note_devices(int device, struct ct_point *points)
{
	size_t count = 0;

	for (int i = 0; i < CT_CPU_DEVICES_MAX; i++)
		if (device == EVERY_DEVICE || device == i)
			count = note_pending(i, points, count);
	return count;
}

static cudaError_t wait_for_all(int device)
{
	struct ct_point *points;
	size_t count;

	if (ct_stream_on_thread)
		return cudaErrorNotPermitted;
	pthread_mutex_lock(&ct_stream_lock);
	count = note_devices(device, NULL);
	points = malloc((count + 1) * sizeof(*points));
	if (points)
		note_devices(device, points);
	for (size_t i = 0; points && i < count; i++) {
		ct_stream_await(&points[i]);
		ct_point_release(&points[i]);
	}
	pthread_mutex_unlock(&ct_stream_lock);
	free(points);
	return points ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t ct_stream_wait_all(void)
{
	return wait_for_all(ct_device_of_thread());
}

cudaError_t ct_stream_wait_all_devices(void)
{
	return wait_for_all(EVERY_DEVICE);
}

static void run_marker(struct ct_work *work, cudaError_t device_error)
{
	(void)work;
	(void)device_error;
}

/* Waiting for the legacy stream means waiting for all blocking streams: work
 * in it does, so wait for a piece of it that does nothing. */
static cudaError_t mark_legacy(struct ct_stream *stream)
{
	struct ct_work *marker = calloc(1, sizeof(*marker));
	cudaError_t error;

	if (!marker)
		return cudaErrorMemoryAllocation;
	marker->run = run_marker;
	error = ct_stream_append(stream, marker, NULL, NULL);
	if (error)
		free(marker);
	return error;
}

/* With the lock held: would work submitted now start at once? */
static int starts_at_once(const struct ct_stream *stream)
{
	return !ct_stream_is_pending(stream) && !ct_stream_has_others(stream);
}

/* With the lock held: is there nothing that a wait for stream would wait for? */
static int nothing_to_wait_for(const struct ct_stream *stream)
{
	return ct_stream_is_legacy(stream) ? starts_at_once(stream) : !ct_stream_is_pending(stream);
}

cudaError_t ct_stream_wait(cudaStream_t handle)
{
	struct ct_stream *stream;
	cudaError_t error = cudaSuccess;

	if (ct_stream_on_thread)
		return cudaErrorNotPermitted;
	stream = ct_stream_find(handle);
	if (!stream)
		return cudaErrorInvalidResourceHandle;
	pthread_mutex_lock(&ct_stream_lock);
	if (!nothing_to_wait_for(stream)) {
		if (ct_stream_is_legacy(stream))
			error = mark_legacy(stream);
		wait_for(stream);
	}
	pthread_mutex_unlock(&ct_stream_lock);
	ct_stream_release(stream);
	return error;
}

/* 0 if there is no such stream. */
static int ask(cudaStream_t handle, int (*is)(const struct ct_stream *))
{
	struct ct_stream *stream = ct_stream_find(handle);
	int answer;

	if (!stream)
		return 0;
	pthread_mutex_lock(&ct_stream_lock);
	answer = is(stream);
	pthread_mutex_unlock(&ct_stream_lock);
	ct_stream_release(stream);
	return answer;
}

int ct_stream_is_idle(cudaStream_t handle)
{
	return ask(handle, nothing_to_wait_for);
}

int ct_stream_starts_at_once(cudaStream_t handle)
{
	return ask(handle, starts_at_once);
}
