/* SPDX-License-Identifier: Apache-2.0 */
/* Event objects: which are alive, and what was recorded in them. */
#include "cpu-target/runtime/stream/event.h"
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <time.h>

struct ct_timed_event {
	uint32_t references; /* handle, queued records */
	uint32_t flags;
	uint64_t records;      /* submitted so far */
	uint64_t time_ns;      /* of the last record, once it ran */
	struct ct_point point; /* of the last record */
};

struct record_work {
	struct ct_work work;
	struct ct_timed_event *event;
	uint64_t record;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *events; /* tsearch tree of live events */

static int compare(const void *a, const void *b)
{
	return a < b ? -1 : a > b;
}

/* With the lock held. */
static struct ct_timed_event *find(cudaEvent_t handle)
{
	return tfind(handle, &events, compare) ? (struct ct_timed_event *)handle : NULL;
}

static void release_locked(struct ct_timed_event *event)
{
	if (--event->references)
		return;
	ct_point_release(&event->point);
	free(event);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void run_record(struct ct_work *work, cudaError_t device_error)
{
	struct record_work *record = (struct record_work *)work;

	(void)device_error;
	pthread_mutex_lock(&lock);
	if (record->record == record->event->records)
		record->event->time_ns = now_ns();
	release_locked(record->event);
	pthread_mutex_unlock(&lock);
}

cudaError_t ct_event_create(cudaEvent_t *handle, unsigned flags)
{
	struct ct_timed_event *event = calloc(1, sizeof(*event));

	if (!event)
		return cudaErrorMemoryAllocation;
	event->references = 1;
	event->flags = flags;
	pthread_mutex_lock(&lock);
	tsearch(event, &events, compare);
	pthread_mutex_unlock(&lock);
	*handle = (cudaEvent_t)event;
	return cudaSuccess;
}

cudaError_t ct_event_destroy(cudaEvent_t handle)
{
	struct ct_timed_event *event;

	pthread_mutex_lock(&lock);
	event = find(handle);
	if (event) {
		tdelete(event, &events, compare);
		release_locked(event);
	}
	pthread_mutex_unlock(&lock);
	return event ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t ct_event_point(cudaEvent_t handle, struct ct_point *point)
{
	struct ct_timed_event *event;

	pthread_mutex_lock(&lock);
	event = find(handle);
	if (event)
		*point = ct_point_copy(&event->point);
	pthread_mutex_unlock(&lock);
	return event ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/* With the lock held, so that point and record number belong together. */
static cudaError_t queue_record(struct ct_timed_event *event, cudaStream_t stream,
				struct record_work *record)
{
	struct ct_point point;
	cudaError_t error;

	record->work.run = run_record;
	record->event = event;
	record->record = event->records + 1;
	error = ct_stream_queue(stream, &record->work, NULL, &point);
	if (error)
		return error;
	event->records++;
	event->references++;
	ct_point_release(&event->point);
	event->point = point;
	return cudaSuccess;
}

cudaError_t ct_event_record(cudaEvent_t handle, cudaStream_t stream)
{
	struct record_work *record = calloc(1, sizeof(*record));
	struct ct_timed_event *event;
	cudaError_t error = cudaErrorInvalidResourceHandle;

	if (!record)
		return cudaErrorMemoryAllocation;
	ct_stream_ask_cause(stream, &record->work);
	pthread_mutex_lock(&lock);
	event = find(handle);
	if (event)
		error = queue_record(event, stream, record);
	pthread_mutex_unlock(&lock);
	if (error)
		free(record);
	return error;
}

static void run_nothing(struct ct_work *work, cudaError_t device_error)
{
	(void)work, (void)device_error;
}

static cudaError_t submit_wait(cudaStream_t stream, const struct ct_point *point)
{
	struct ct_work *work;
	cudaError_t error = ct_stream_check(stream);

	if (error || ct_point_is_done(point))
		return error;
	work = calloc(1, sizeof(*work));
	if (!work)
		return cudaErrorMemoryAllocation;
	work->run = run_nothing;
	error = ct_stream_submit(stream, work, point, NULL);
	if (error)
		free(work);
	return error;
}

cudaError_t ct_event_wait(cudaStream_t stream, cudaEvent_t handle)
{
	struct ct_point point;
	cudaError_t error = ct_event_point(handle, &point);

	if (error)
		return error;
	error = submit_wait(stream, &point);
	ct_point_release(&point);
	return error;
}

void ct_event_move(cudaEvent_t handle, const struct ct_point *point)
{
	struct ct_timed_event *event;

	pthread_mutex_lock(&lock);
	event = find(handle);
	if (event) {
		event->records++;
		ct_point_release(&event->point);
		event->point = ct_point_copy(point);
	}
	pthread_mutex_unlock(&lock);
}

void ct_event_stamp(cudaEvent_t handle)
{
	struct ct_timed_event *event;

	pthread_mutex_lock(&lock);
	event = find(handle);
	if (event)
		event->time_ns = now_ns();
	pthread_mutex_unlock(&lock);
}

/* With the lock held. */
static cudaError_t check_timed(const struct ct_timed_event *event)
{
	if (!event || (event->flags & cudaEventDisableTiming) || !event->point.stream)
		return cudaErrorInvalidResourceHandle;
	return ct_point_is_done(&event->point) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t ct_event_elapsed(float *ms, cudaEvent_t start, cudaEvent_t end)
{
	struct ct_timed_event *first, *second;
	cudaError_t error;

	pthread_mutex_lock(&lock);
	first = find(start);
	second = find(end);
	error = check_timed(first);
	if (!error)
		error = check_timed(second);
	if (!error)
		*ms = (float)((double)((int64_t)(second->time_ns - first->time_ns)) / 1e6);
	pthread_mutex_unlock(&lock);
	return error;
}
