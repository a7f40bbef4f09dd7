/* SPDX-License-Identifier: Apache-2.0 */
/* Stream queues, the threads that serve them and the legacy default stream's rules. */
#include "cpu-target/runtime/stream/stream.h"
#include "cpu-target/runtime/base/activity.h"
#include "cpu-target/runtime/base/device.h"
#include "cpu-target/runtime/base/error_state.h"
#include "cpu-target/runtime/base/service.h"
#include "cpu-target/runtime/stream/lists.h"
#include "cpu-target/runtime/stream/stream_state.h"
#include <stdlib.h>

pthread_mutex_t ct_stream_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long last_id = CT_CPU_DEVICES_MAX;
__thread int ct_stream_on_thread;
static pthread_key_t per_thread_key;
static pthread_once_t per_thread_once = PTHREAD_ONCE_INIT;

/* Per-thread default streams of a thread. */
struct per_thread {
	struct ct_stream *of_device[CT_CPU_DEVICES_MAX];
};

#define LEGACY(number)                                                                             \
	{                                                                                          \
		.references = 1, .id = number + 1, .device = number,                               \
		.progress = PTHREAD_COND_INITIALIZER,                                              \
	}

/* One per device. */
static struct ct_stream legacy[CT_CPU_DEVICES_MAX] = {
    LEGACY(0), LEGACY(1), LEGACY(2), LEGACY(3), LEGACY(4), LEGACY(5), LEGACY(6), LEGACY(7),
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
		pthread_cond_destroy(&stream->progress);
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
	ct_stream_await(point);
	pthread_mutex_unlock(&ct_stream_lock);
	return cudaSuccess;
}

void ct_stream_await(const struct ct_point *point)
{
	while (!ct_point_is_done(point))
		pthread_cond_wait(&point->stream->progress, &ct_stream_lock);
}

static void free_work(struct ct_work *work)
{
	for (uint32_t i = 0; i < work->after_count; i++)
		ct_point_release(&work->after[i]);
	free(work->after);
	free(work);
}

/* Called and returns with the lock held. */
static void run_first(struct ct_stream *stream)
{
	struct ct_work *work = stream->first;
	uint64_t sequence = work->sequence;

	for (uint32_t i = 0; i < work->after_count; i++)
		ct_stream_await(&work->after[i]);
	stream->first = work->next;
	pthread_mutex_unlock(&ct_stream_lock);
	ct_activity_enter(&work->cause);
	work->run(work, ct_error_sticky());
	ct_activity_enter(NULL);
	free_work(work);
	pthread_mutex_lock(&ct_stream_lock);
	__atomic_store_n(&stream->completed, sequence, __ATOMIC_RELEASE);
	if (!ct_stream_is_pending(stream))
		for (int list = 0; list < CT_STREAM_LISTS; list++)
			ct_stream_lists_take((enum ct_stream_list)list, stream);
	pthread_cond_broadcast(&stream->progress);
}

/* A thread serves a stream as long as that has work, then another one. Few wait for work: what the
 * system does to wake one takes the longer the more there are. */
#define IDLE_MOST 64u

static struct {
	pthread_cond_t work;
	struct ct_stream *first, **end; /* with work, and no thread yet */
	size_t unserved;                /* how many these are */
	size_t idle, starting;          /* threads that will take one */
} threads = {.work = PTHREAD_COND_INITIALIZER, .end = &threads.first};

static struct ct_stream *take_unserved(void)
{
	struct ct_stream *stream = threads.first;

	threads.first = stream->next_unserved;
	if (!threads.first)
		threads.end = &threads.first;
	threads.unserved--;
	return stream;
}

static void serve(struct ct_stream *stream)
{
	while (stream->first)
		run_first(stream);
	stream->is_served = 0;
	ct_stream_release(stream);
}

static void *thread_main(void *unused)
{
	ct_stream_on_thread = 1;
	ct_activity_be_device();
	pthread_mutex_lock(&ct_stream_lock);
	threads.starting--;
	for (;;) {
		if (threads.first) {
			serve(take_unserved());
			continue;
		}
		if (threads.idle == IDLE_MOST)
			break;
		threads.idle++;
		pthread_cond_wait(&threads.work, &ct_stream_lock);
		threads.idle--;
	}
	pthread_mutex_unlock(&ct_stream_lock);
	return unused;
}

static int find_thread(struct ct_stream *stream)
{
	if (stream->is_served)
		return 0;
	if (threads.unserved == threads.idle + threads.starting) {
		if (ct_service_start(thread_main, NULL))
			return -1;
		threads.starting++;
	}
	stream->is_served = 1;
	stream->next_unserved = NULL;
	*threads.end = ct_stream_hold(stream);
	threads.end = &stream->next_unserved;
	threads.unserved++;
	pthread_cond_signal(&threads.work);
	return 0;
}

static struct ct_stream *new_stream(unsigned flags, int priority)
{
	struct ct_stream *stream = calloc(1, sizeof(*stream));
	int error;

	if (!stream)
		return NULL;
	stream->references = 1;
	stream->flags = flags;
	stream->priority = priority;
	stream->device = ct_device_of_thread();
	pthread_cond_init(&stream->progress, NULL);
	pthread_mutex_lock(&ct_stream_lock);
	stream->id = ++last_id;
	error = ct_stream_lists_add_handle(stream);
	pthread_mutex_unlock(&ct_stream_lock);
	if (error) {
		ct_stream_release(stream);
		return NULL;
	}
	return stream;
}

static void retire(struct ct_stream *stream)
{
	ct_stream_lists_remove_handle(stream);
	ct_stream_release(stream);
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
	stream = ct_stream_lists_find(handle);
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
	stream = ct_stream_lists_find(handle);
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

/* All that blocking streams had when work of the legacy stream was last submitted is behind that
 * work. */
int ct_stream_has_others(const struct ct_stream *stream)
{
	if (ct_stream_is_legacy(stream))
		return ct_stream_lists_first(CT_STREAMS_AHEAD, stream->device) != NULL;
	return is_blocking(stream) && ct_stream_is_pending(&legacy[stream->device]);
}

static void add_point(struct ct_work *work, struct ct_stream *stream)
{
	work->after[work->after_count++] =
	    (struct ct_point){ct_stream_hold(stream), stream->submitted};
}

static uint32_t count_ahead(const struct ct_stream *stream)
{
	uint32_t count = 0;

	for (struct ct_stream *s = ct_stream_lists_first(CT_STREAMS_AHEAD, stream->device); s;
	     s = s->in[CT_STREAMS_AHEAD].next)
		count++;
	return count;
}

static int add_dependencies(struct ct_stream *stream, struct ct_work *work,
			    const struct ct_point *after)
{
	uint32_t count = ct_stream_is_legacy(stream) ? count_ahead(stream)
						     : (uint32_t)ct_stream_has_others(stream);
	struct ct_stream *ahead;

	if (!count && !after)
		return 0;
	work->after = malloc((count + 1) * sizeof(*work->after));
	if (!work->after)
		return -1;
	if (after)
		work->after[work->after_count++] = ct_point_copy(after);
	if (count && !ct_stream_is_legacy(stream))
		add_point(work, &legacy[stream->device]);
	while (ct_stream_is_legacy(stream) &&
	       (ahead = ct_stream_lists_first(CT_STREAMS_AHEAD, stream->device))) {
		add_point(work, ahead);
		ct_stream_lists_take(CT_STREAMS_AHEAD, ahead);
	}
	return 0;
}

cudaError_t ct_stream_append(struct ct_stream *stream, struct ct_work *work,
			     const struct ct_point *after, struct ct_point *point)
{
	work->next = NULL;
	work->after = NULL;
	work->after_count = 0;
	if (find_thread(stream))
		return cudaErrorOperatingSystem;
	if (add_dependencies(stream, work, after))
		return cudaErrorMemoryAllocation;
	work->sequence = ++stream->submitted;
	if (stream->first)
		stream->last->next = work;
	else
		stream->first = work;
	stream->last = work;
	ct_stream_lists_put(CT_STREAMS_PENDING, stream);
	if (is_blocking(stream))
		ct_stream_lists_put(CT_STREAMS_AHEAD, stream);
	if (point)
		*point = (struct ct_point){ct_stream_hold(stream), work->sequence};
	return cudaSuccess;
}

void ct_stream_ask_cause(cudaStream_t handle, struct ct_work *work)
{
	struct ct_stream *stream = ct_stream_find(handle);

	if (!stream)
		return;
	work->cause = ct_activity_cause(handle, stream->device);
	ct_stream_release(stream);
}

cudaError_t ct_stream_queue(cudaStream_t handle, struct ct_work *work, const struct ct_point *after,
			    struct ct_point *point)
{
	struct ct_stream *stream = ct_stream_find(handle);
	cudaError_t error;

	if (!stream)
		return cudaErrorInvalidResourceHandle;
	pthread_mutex_lock(&ct_stream_lock);
	error = ct_stream_append(stream, work, after, point);
	pthread_mutex_unlock(&ct_stream_lock);
	ct_stream_release(stream);
	return error;
}

cudaError_t ct_stream_submit(cudaStream_t handle, struct ct_work *work,
			     const struct ct_point *after, struct ct_point *point)
{
	ct_stream_ask_cause(handle, work);
	return ct_stream_queue(handle, work, after, point);
}
