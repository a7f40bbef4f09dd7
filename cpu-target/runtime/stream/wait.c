/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for streams, and asking whether one would have to. */
#include "cpu-target/runtime/base/device.h"
#include "cpu-target/runtime/stream/stream.h"
#include "cpu-target/runtime/stream/stream_state.h"
#include <stdlib.h>

/* With the lock held: until what `stream` has now is complete. */
static void wait_for(struct ct_stream *stream)
{
	struct ct_point point = {ct_stream_hold(stream), stream->submitted};

	while (!ct_point_is_done(&point))
		pthread_cond_wait(&ct_stream_progress, &ct_stream_lock);
	ct_point_release(&point);
}

#define EVERY_DEVICE (-1)

/* The device's pending stream with the smallest id above `id`, or NULL. */
static struct ct_stream *next_pending(int device, unsigned long long id)
{
	struct ct_stream *found = NULL;

	for (struct ct_stream *s = ct_stream_list; s; s = s->next)
		if ((device == EVERY_DEVICE || s->device == device) && s->id > id &&
		    ct_stream_is_pending(s) && (!found || s->id < found->id))
			found = s;
	return found;
}

static cudaError_t wait_for_all(int device)
{
	struct ct_stream *stream;
	unsigned long long id = 0;

	if (ct_stream_on_thread)
		return cudaErrorNotPermitted;
	pthread_mutex_lock(&ct_stream_lock);
	while ((stream = next_pending(device, id))) {
		id = stream->id;
		wait_for(stream);
	}
	pthread_mutex_unlock(&ct_stream_lock);
	return cudaSuccess;
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
	if (ct_stream_is_pending(stream))
		return 0;
	for (struct ct_stream *s = ct_stream_list; s; s = s->next)
		if (ct_stream_synchronises(stream, s))
			return 0;
	return 1;
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
