/* SPDX-License-Identifier: Apache-2.0 */
/* Stream queues, their threads and the legacy default stream's rules. */
#include "stream.h"
#include "device.h"
#include "error_state.h"
#include <pthread.h>
#include <stdlib.h>

struct ct_stream {
	struct ct_stream *next; /* list of streams that are alive or have work */
	uint32_t references;    /* list, thread, points */
	uint32_t flags;
	int priority;
	unsigned long long id; /* the legacy streams have the first ones */
	int device;
	uint64_t submitted;
	uint64_t completed; /* written under lock, read anywhere */
	struct ct_work *first, *last;
	pthread_cond_t wake;
	uint8_t has_thread;
	uint8_t destroyed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t progress = PTHREAD_COND_INITIALIZER; /* some work completed */
static struct ct_stream legacy[CT_CPU_DEVICES_MAX];        /* one per device */
static struct ct_stream *streams = legacy;
static unsigned long long last_id = CT_CPU_DEVICES_MAX;
static __thread int on_stream_thread;
static pthread_key_t per_thread_key;
static pthread_once_t per_thread_once = PTHREAD_ONCE_INIT;

/* Per-thread default streams of a thread. */
struct per_thread {
	struct ct_stream *of_device[CT_CPU_DEVICES_MAX];
};

#define LEGACY(number, following)                                                                  \
	{                                                                                          \
	    .next = following,                                                                     \
	    .references = 1,                                                                       \
	    .id = number + 1,                                                                      \
	    .device = number,                                                                      \
	    .wake = PTHREAD_COND_INITIALIZER,                                                      \
	}

static struct ct_stream legacy[CT_CPU_DEVICES_MAX] = {
    LEGACY(0, &legacy[1]), LEGACY(1, &legacy[2]), LEGACY(2, &legacy[3]), LEGACY(3, &legacy[4]),
    LEGACY(4, &legacy[5]), LEGACY(5, &legacy[6]), LEGACY(6, &legacy[7]), LEGACY(7, NULL),
};

static int is_legacy(const struct ct_stream *stream)
{
	return stream >= legacy && stream < legacy + CT_CPU_DEVICES_MAX;
}

/* ---- references and points ---- */

static struct ct_stream *hold(struct ct_stream *stream)
{
	__atomic_add_fetch(&stream->references, 1, __ATOMIC_RELAXED);
	return stream;
}

static void release(struct ct_stream *stream)
{
	if (__atomic_sub_fetch(&stream->references, 1, __ATOMIC_ACQ_REL) == 0) {
		pthread_cond_destroy(&stream->wake);
		free(stream);
	}
}

int ct_point_is_done(const struct ct_point *point)
{
	return !point->stream ||
	       __atomic_load_n(&point->stream->completed, __ATOMIC_ACQUIRE) >= point->sequence;
}

struct ct_point ct_point_copy(const struct ct_point *point)
{
	if (point->stream)
		hold(point->stream);
	return *point;
}

void ct_point_release(struct ct_point *point)
{
	if (point->stream)
		release(point->stream);
	*point = (struct ct_point){0};
}

cudaError_t ct_point_wait(const struct ct_point *point)
{
	if (on_stream_thread)
		return cudaErrorNotPermitted;
	pthread_mutex_lock(&lock);
	while (!ct_point_is_done(point))
		pthread_cond_wait(&progress, &lock);
	pthread_mutex_unlock(&lock);
	return cudaSuccess;
}

/* ---- the thread of a stream ---- */

static int is_ready(const struct ct_work *work)
{
	for (uint32_t i = 0; i < work->after_count; i++)
		if (!ct_point_is_done(&work->after[i]))
			return 0;
	return 1;
}

static void free_work(struct ct_work *work)
{
	for (uint32_t i = 0; i < work->after_count; i++)
		ct_point_release(&work->after[i]);
	free(work->after);
	free(work);
}

static void unlist(struct ct_stream *stream)
{
	struct ct_stream **link = &streams;

	while (*link != stream)
		link = &(*link)->next;
	*link = stream->next;
	release(stream);
}

/* Called and returns with the lock held. */
static void run_first(struct ct_stream *stream)
{
	struct ct_work *work = stream->first;
	uint64_t sequence = work->sequence;

	while (!is_ready(work))
		pthread_cond_wait(&progress, &lock);
	stream->first = work->next;
	pthread_mutex_unlock(&lock);
	work->run(work, ct_error_sticky());
	free_work(work);
	pthread_mutex_lock(&lock);
	__atomic_store_n(&stream->completed, sequence, __ATOMIC_RELEASE);
	pthread_cond_broadcast(&progress);
}

static void *stream_main(void *argument)
{
	struct ct_stream *stream = argument;

	on_stream_thread = 1;
	pthread_mutex_lock(&lock);
	while (stream->first || !stream->destroyed) {
		if (stream->first)
			run_first(stream);
		else
			pthread_cond_wait(&stream->wake, &lock);
	}
	unlist(stream);
	pthread_mutex_unlock(&lock);
	release(stream);
	return NULL;
}

static int start_thread(struct ct_stream *stream)
{
	pthread_t thread;

	if (stream->has_thread)
		return 0;
	hold(stream);
	if (pthread_create(&thread, NULL, stream_main, stream)) {
		release(stream);
		return -1;
	}
	pthread_detach(thread);
	stream->has_thread = 1;
	return 0;
}

/* ---- handles ---- */

static struct ct_stream *new_stream(unsigned flags, int priority)
{
	struct ct_stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return NULL;
	stream->references = 1;
	stream->flags = flags;
	stream->priority = priority;
	stream->device = ct_device_of_thread();
	pthread_cond_init(&stream->wake, NULL);
	pthread_mutex_lock(&lock);
	stream->id = ++last_id;
	stream->next = streams;
	streams = stream;
	pthread_mutex_unlock(&lock);
	return stream;
}

static void retire(struct ct_stream *stream)
{
	stream->destroyed = 1;
	if (stream->has_thread)
		pthread_cond_signal(&stream->wake);
	else
		unlist(stream);
}

static void retire_per_thread(void *argument)
{
	struct per_thread *per_thread = argument;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < CT_CPU_DEVICES_MAX; i++)
		if (per_thread->of_device[i])
			retire(per_thread->of_device[i]);
	pthread_mutex_unlock(&lock);
	free(per_thread);
}

static void make_per_thread_key(void)
{
	pthread_key_create(&per_thread_key, retire_per_thread);
}

static struct ct_stream *per_thread_stream(void)
{
	struct per_thread *per_thread;
	struct ct_stream **place;

	pthread_once(&per_thread_once, make_per_thread_key);
	per_thread = pthread_getspecific(per_thread_key);
	if (!per_thread) {
		per_thread = calloc(1, sizeof(*per_thread));
		if (!per_thread)
			return NULL;
		pthread_setspecific(per_thread_key, per_thread);
	}
	place = &per_thread->of_device[ct_device_of_thread()];
	if (!*place)
		*place = new_stream(cudaStreamDefault, 0);
	return *place;
}

static struct ct_stream *find_listed(const void *handle)
{
	for (struct ct_stream *s = streams; s; s = s->next)
		if (s == handle && !s->destroyed)
			return s;
	return NULL;
}

/* The stream of a handle with a reference for the caller, or NULL. */
static struct ct_stream *find(cudaStream_t handle)
{
	struct ct_stream *stream;

	if (!handle || handle == cudaStreamLegacy)
		return hold(&legacy[ct_device_of_thread()]);
	if (handle == cudaStreamPerThread) {
		stream = per_thread_stream();
		return stream ? hold(stream) : NULL;
	}
	pthread_mutex_lock(&lock);
	stream = find_listed(handle);
	if (stream)
		hold(stream);
	pthread_mutex_unlock(&lock);
	return stream;
}

cudaError_t ct_stream_check(cudaStream_t handle)
{
	struct ct_stream *stream = find(handle);

	if (!stream)
		return cudaErrorInvalidResourceHandle;
	release(stream);
	return cudaSuccess;
}

cudaError_t ct_stream_create(cudaStream_t *handle, unsigned flags, int priority)
{
	struct ct_stream *stream = new_stream(flags, priority);

	if (!stream)
		return cudaErrorMemoryAllocation;
	*handle = (cudaStream_t)stream;
	return cudaSuccess;
}

cudaError_t ct_stream_destroy(cudaStream_t handle)
{
	struct ct_stream *stream;

	pthread_mutex_lock(&lock);
	stream = find_listed(handle);
	if (stream && is_legacy(stream))
		stream = NULL;
	if (stream)
		retire(stream);
	pthread_mutex_unlock(&lock);
	return stream ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

int ct_stream_device(cudaStream_t handle)
{
	struct ct_stream *stream = find(handle);
	int device = stream ? stream->device : -1;

	if (stream)
		release(stream);
	return device;
}

cudaError_t ct_stream_properties(cudaStream_t handle, unsigned *flags, int *priority,
				 unsigned long long *id)
{
	struct ct_stream *stream = find(handle);

	if (!stream)
		return cudaErrorInvalidResourceHandle;
	*flags = stream->flags;
	*priority = stream->priority;
	*id = is_legacy(stream) ? 1 : stream->id - CT_CPU_DEVICES_MAX + 1;
	release(stream);
	return cudaSuccess;
}

/* ---- submission; with the lock held ---- */

static int is_pending(const struct ct_stream *stream)
{
	return stream->completed < stream->submitted;
}

static int is_blocking(const struct ct_stream *stream)
{
	return !is_legacy(stream) && !(stream->flags & cudaStreamNonBlocking);
}

/* Does new work of `stream` have to wait for what is in `other`? */
static int synchronises(const struct ct_stream *stream, const struct ct_stream *other)
{
	if (stream->device != other->device || !is_pending(other))
		return 0;
	return is_legacy(stream) ? is_blocking(other) : is_blocking(stream) && is_legacy(other);
}

static int add_dependencies(struct ct_stream *stream, struct ct_work *work,
			    const struct ct_point *after)
{
	uint32_t count = after != NULL;

	for (struct ct_stream *s = streams; s; s = s->next)
		count += (uint32_t)synchronises(stream, s);
	if (!count)
		return 0;
	work->after = malloc(count * sizeof(*work->after));
	if (!work->after)
		return -1;
	if (after)
		work->after[work->after_count++] = ct_point_copy(after);
	for (struct ct_stream *s = streams; s; s = s->next)
		if (synchronises(stream, s))
			work->after[work->after_count++] = (struct ct_point){hold(s), s->submitted};
	return 0;
}

static cudaError_t append(struct ct_stream *stream, struct ct_work *work,
			  const struct ct_point *after, struct ct_point *point)
{
	work->next = NULL;
	work->after = NULL;
	work->after_count = 0;
	if (start_thread(stream))
		return cudaErrorOperatingSystem;
	if (add_dependencies(stream, work, after))
		return cudaErrorMemoryAllocation;
	work->sequence = ++stream->submitted;
	if (stream->first)
		stream->last->next = work;
	else
		stream->first = work;
	stream->last = work;
	if (point)
		*point = (struct ct_point){hold(stream), work->sequence};
	pthread_cond_signal(&stream->wake);
	return cudaSuccess;
}

cudaError_t ct_stream_submit(cudaStream_t handle, struct ct_work *work,
			     const struct ct_point *after, struct ct_point *point)
{
	struct ct_stream *stream = find(handle);
	cudaError_t error;

	if (!stream)
		return cudaErrorInvalidResourceHandle;
	pthread_mutex_lock(&lock);
	error = append(stream, work, after, point);
	pthread_mutex_unlock(&lock);
	release(stream);
	return error;
}

/* ---- waiting ---- */

/* With the lock held: until what `stream` has now is complete. */
static void wait_for(struct ct_stream *stream)
{
	struct ct_point point = {hold(stream), stream->submitted};

	while (!ct_point_is_done(&point))
		pthread_cond_wait(&progress, &lock);
	ct_point_release(&point);
}

/* The device's pending stream with the smallest id above `id`, or NULL. */
static struct ct_stream *next_pending(int device, unsigned long long id)
{
	struct ct_stream *found = NULL;

	for (struct ct_stream *s = streams; s; s = s->next)
		if (s->device == device && s->id > id && is_pending(s) &&
		    (!found || s->id < found->id))
			found = s;
	return found;
}

cudaError_t ct_stream_wait_all(void)
{
	struct ct_stream *stream;
	unsigned long long id = 0;

	if (on_stream_thread)
		return cudaErrorNotPermitted;
	pthread_mutex_lock(&lock);
	while ((stream = next_pending(ct_device_of_thread(), id))) {
		id = stream->id;
		wait_for(stream);
	}
	pthread_mutex_unlock(&lock);
	return cudaSuccess;
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
	error = append(stream, marker, NULL, NULL);
	if (error)
		free(marker);
	return error;
}

/* With the lock held: would work submitted now start at once? */
static int starts_at_once(const struct ct_stream *stream)
{
	if (is_pending(stream))
		return 0;
	for (struct ct_stream *s = streams; s; s = s->next)
		if (synchronises(stream, s))
			return 0;
	return 1;
}

/* With the lock held: is there nothing that a wait for stream would wait for? */
static int nothing_to_wait_for(const struct ct_stream *stream)
{
	return is_legacy(stream) ? starts_at_once(stream) : !is_pending(stream);
}

cudaError_t ct_stream_wait(cudaStream_t handle)
{
	struct ct_stream *stream;
	cudaError_t error = cudaSuccess;

	if (on_stream_thread)
		return cudaErrorNotPermitted;
	stream = find(handle);
	if (!stream)
		return cudaErrorInvalidResourceHandle;
	pthread_mutex_lock(&lock);
	if (!nothing_to_wait_for(stream)) {
		if (is_legacy(stream))
			error = mark_legacy(stream);
		wait_for(stream);
	}
	pthread_mutex_unlock(&lock);
	release(stream);
	return error;
}

/* 0 if there is no such stream. */
static int ask(cudaStream_t handle, int (*is)(const struct ct_stream *))
{
	struct ct_stream *stream = find(handle);
	int answer;

	if (!stream)
		return 0;
	pthread_mutex_lock(&lock);
	answer = is(stream);
	pthread_mutex_unlock(&lock);
	release(stream);
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
