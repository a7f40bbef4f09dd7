/* SPDX-License-Identifier: Apache-2.0 */
/* The files of streams share their state, and what changes it. */
#ifndef CT_CPU_TARGET_RUNTIME_STREAM_STREAM_STATE_H
#define CT_CPU_TARGET_RUNTIME_STREAM_STREAM_STATE_H

#include "cpu-target/runtime/stream/stream.h"
#include <pthread.h>

/* The runtime must find these among many streams at once: lists.h. */
enum ct_stream_list {
	CT_STREAMS_PENDING, /* with work that is not complete */
	CT_STREAMS_AHEAD, /* blocking ones, with work that no work of the legacy stream is behind */
	CT_STREAM_LISTS,
};

struct ct_stream {
	struct {
		struct ct_stream *next, **at; /* at: what points to this one; NULL: not listed */
	} in[CT_STREAM_LISTS];
	uint32_t references; /* handle, thread, points */
	uint32_t flags;
	int priority;
	unsigned long long id; /* the legacy streams have the first ones */
	int device;
	uint64_t submitted;
	uint64_t completed; /* written under lock, read anywhere */
	struct ct_work *first, *last;
	pthread_cond_t progress; /* some of its work completed */
	struct ct_stream *next_unserved;
	uint8_t is_served; /* a thread runs its work, or will */
};

extern pthread_mutex_t ct_stream_lock;
extern __thread int ct_stream_on_thread; /* the calling thread is a stream's */

struct ct_stream *ct_stream_hold(struct ct_stream *stream);
void ct_stream_release(struct ct_stream *stream);

/* The stream of a handle with a reference for the caller, or NULL. */
struct ct_stream *ct_stream_find(cudaStream_t handle);

/* A device's legacy default stream. */
int ct_stream_is_legacy(const struct ct_stream *stream);

/* With the lock held. */
int ct_stream_is_pending(const struct ct_stream *stream);
/* Does new work of the stream, in which none is pending, have to wait for what is in others? */
int ct_stream_has_others(const struct ct_stream *stream);
/* Returns when the point is done. */
void ct_stream_await(const struct ct_point *point);
cudaError_t ct_stream_append(struct ct_stream *stream, struct ct_work *work,
			     const struct ct_point *after, struct ct_point *point);

#endif
