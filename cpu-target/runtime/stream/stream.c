/* SPDX-License-Identifier: Apache-2.0 */
/* Stream queues, their threads and the legacy default stream's rules. */
#include "cpu-target/runtime/stream/stream.h"
#include "cpu-target/runtime/base/activity.h"
#include "cpu-target/runtime/base/device.h"
#include "cpu-target/runtime/base/error_state.h"
#include "cpu-target/runtime/base/service.h"
#include "cpu-target/runtime/stream/stream_state.h"
#include <stdlib.h>

pthread_mutex_t ct_stream_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ct_stream_progress = PTHREAD_COND_INITIALIZER;
static struct ct_stream legacy[CT_CPU_DEVICES_MAX]; /* one per device */
struct ct_stream *ct_stream_list = legacy;
static unsigned long long last_id = CT_CPU_DEVICES_MAX;
__thread int ct_stream_on_thread;
static pthread_key_t per_thread_key;
static pthread_once_t per_thread_once = PTHREAD_ONCE_INIT;

/* Per-thread default streams of a thread. */
struct per_thread {
	struct ct_stream *of_device[CT_CPU_DEVICES_MAX];
};

#define LEGACY(number, following)                                                                  \
	{                                                                                          \
		.next = following, .references = 1, .id = number + 1, .device = number,            \
		.wake = PTHREAD_COND_INITIALIZER,                                                  \
	}

static struct ct_stream legacy[CT_CPU_DEVICES_MAX] = {
    LEGACY(0, &legacy[1]), LEGACY(1, &legacy[2]), LEGACY(2, &legacy[3]), LEGACY(3, &legacy[4]),
    LEGACY(4, &legacy[5]), LEGACY(5, &legacy[6]), LEGACY(6, &legacy[7]), LEGACY(7, NULL),
};

int ct_stream_is_legacy(const struct ct_stream *stream)
{
	return stream >= legacy && stream < legacy + CT_CPU_DEVICES_MAX;
}

struct ct_stream *ct_stream_hold(struct ct_stream *stream)
{
	__atomic_add_fetch(&stream->references, 1, __ATOMIC_RELAXED);
	return stream;
}

void ct_stream_release(struct ct_stream *stream)
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
		ct_stream_hold(point->stream);
	return *point;
}

void ct_point_release(struct ct_point *point)
{
	if (point->stream)
		ct_stream_release(point->stream);
	*point = (struct ct_point){0};
}

cudaError_t ct_point_wait(const struct ct_point *point)
{
	if (ct_stream_on_thread)
		return cudaErrorNotPermitted;
	pthread_mutex_lock(&ct_stream_lock);
	while (!ct_point_is_done(point))
		pthread_cond_wait(&ct_stream_progress, &ct_stream_lock);
	pthread_mutex_unlock(&ct_stream_lock);
	return cudaSuccess;
}

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
	struct ct_stream **link = &ct_stream_list;

	while (*link != stream)
		link = &(*link)->next;
	*link = stream->next;
	ct_stream_release(stream);
}

/* Called and returns with the lock held. */
static void run_first(struct ct_stream *stream)
{
	struct ct_work *work = stream->first;
	uint64_t sequence = work->sequence;

	while (!is_ready(work))
		pthread_cond_wait(&ct_stream_progress, &ct_stream_lock);
	stream->first = work->next;
	pthread_mutex_unlock(&ct_stream_lock);
	ct_activity_enter(&work->cause);
	work->run(work, ct_error_sticky());
	ct_activity_enter(NULL);
	free_work(work);
	pthread_mutex_lock(&ct_stream_lock);
	__atomic_store_n(&stream->completed, sequence, __ATOMIC_RELEASE);
	pthread_cond_broadcast(&ct_stream_progress);
}

static void *stream_main(void *argument)
{
	struct ct_stream *stream = argument;

	ct_stream_on_thread = 1;
	ct_activity_be_device();
	pthread_mutex_lock(&ct_stream_lock);
	while (stream->first || !stream->destroyed) {
		if (stream->first)
			run_first(stream);
		else
			pthread_cond_wait(&stream->wake, &ct_stream_lock);
	}
	unlist(stream);
	pthread_mutex_unlock(&ct_stream_lock);
	ct_stream_release(stream);
	return NULL;
}

static int start_thread(struct ct_stream *stream)
{
	if (stream->has_thread)
		return 0;
	ct_stream_hold(stream);
	if (ct_service_start(stream_main, stream)) {
		ct_stream_release(stream);
		return -1;
	}
	stream->has_thread = 1;
	return 0;
}

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
	pthread_mutex_lock(&ct_stream_lock);
	stream->id = ++last_id;
	stream->next = ct_stream_list;
	ct_stream_list = stream;
	pthread_mutex_unlock(&ct_stream_lock);
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

	pthread_mutex_lock(&ct_stream_lock);
	for (int i = 0; i < CT_CPU_DEVICES_MAX; i++)
		if (per_thread->of_device[i])
			retire(per_thread->of_device[i]);
	pthread_mutex_unlock(&ct_stream_lock);
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
	for (struct ct_stream *s = ct_stream_list; s; s = s->next)
		if (s == handle && !s->destroyed)
			return s;
	return NULL;
}

/* The stream of a handle with a reference for the caller, or NULL. */
struct ct_stream *ct_stream_find(cudaStream_t handle)
{
	struct ct_stream *stream;

	if (!handle || handle == cudaStreamLegacy)
		return ct_stream_hold(&legacy[ct_device_of_thread()]);
	if (handle == cudaStreamPerThread) {
		stream = per_thread_stream();
		return stream ? ct_stream_hold(stream) : NULL;
	}
	pthread_mutex_lock(&ct_stream_lock);
	stream = find_listed(handle);
	if (stream)
		ct_stream_hold(stream);
	pthread_mutex_unlock(&ct_stream_lock);
	return stream;
}

cudaError_t ct_stream_check(cudaStream_t handle)
{
	struct ct_stream *stream = ct_stream_find(handle);

	if (!stream)
		return cudaErrorInvalidResourceHandle;
	ct_stream_release(stream);
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

	pthread_mutex_lock(&ct_stream_lock);
	stream = find_listed(handle);
	if (stream && ct_stream_is_legacy(stream))
		stream = NULL;
	if (stream)
		retire(stream);
	pthread_mutex_unlock(&ct_stream_lock);
	return stream ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

int ct_stream_device(cudaStream_t handle)
{
	struct ct_stream *stream = ct_stream_find(handle);
	int device = stream ? stream->device : -1;

	if (stream)
		ct_stream_release(stream);
	return device;
}

cudaError_t ct_stream_properties(cudaStream_t handle, unsigned *flags, int *priority,
				 unsigned long long *id)
{
	struct ct_stream *stream = ct_stream_find(handle);

	if (!stream)
		return cudaErrorInvalidResourceHandle;
	*flags = stream->flags;
	*priority = stream->priority;
	*id = ct_stream_is_legacy(stream) ? 1 : stream->id - CT_CPU_DEVICES_MAX + 1;
	ct_stream_release(stream);
	return cudaSuccess;
}

/* Work is submitted with the lock held. */

int ct_stream_is_pending(const struct ct_stream *stream)
{
	return stream->completed < stream->submitted;
}

static int is_blocking(const struct ct_stream *stream)
{
	return !ct_stream_is_legacy(stream) && !(stream->flags & cudaStreamNonBlocking);
}

/* Does new work of `stream` have to wait for what is in `other`? */
int ct_stream_synchronises(const struct ct_stream *stream, const struct ct_stream *other)
{
	if (stream->device != other->device || !ct_stream_is_pending(other))
		return 0;
	return ct_stream_is_legacy(stream) ? is_blocking(other)
					   : is_blocking(stream) && ct_stream_is_legacy(other);
}

static int add_dependencies(struct ct_stream *stream, struct ct_work *work,
			    const struct ct_point *after)
{
	uint32_t count = after != NULL;

	for (struct ct_stream *s = ct_stream_list; s; s = s->next)
		count += (uint32_t)ct_stream_synchronises(stream, s);
	if (!count)
		return 0;
	work->after = malloc(count * sizeof(*work->after));
	if (!work->after)
		return -1;
	if (after)
		work->after[work->after_count++] = ct_point_copy(after);
	for (struct ct_stream *s = ct_stream_list; s; s = s->next)
		if (ct_stream_synchronises(stream, s))
			work->after[work->after_count++] =
			    (struct ct_point){ct_stream_hold(s), s->submitted};
	return 0;
}

cudaError_t ct_stream_append(struct ct_stream *stream, struct ct_work *work,
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
		*point = (struct ct_point){ct_stream_hold(stream), work->sequence};
	pthread_cond_signal(&stream->wake);
	return cudaSuccess;
}

cudaError_t ct_stream_submit(cudaStream_t handle, struct ct_work *work,
			     const struct ct_point *after, struct ct_point *point)
{
	struct ct_stream *stream = ct_stream_find(handle);
	cudaError_t error;

	if (!stream)
		return cudaErrorInvalidResourceHandle;
	work->cause = ct_activity_cause(handle, stream->device);
	pthread_mutex_lock(&ct_stream_lock);
	error = ct_stream_append(stream, work, after, point);
	pthread_mutex_unlock(&ct_stream_lock);
	ct_stream_release(stream);
	return error;
}
