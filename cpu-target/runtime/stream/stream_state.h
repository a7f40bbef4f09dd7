/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of streams share: their state, and what changes it. */
#ifndef CT_CPU_STREAM_STATE_H
#define CT_CPU_STREAM_STATE_H

#include "cpu-target/runtime/stream/stream.h"
#include <pthread.h>

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

extern pthread_mutex_t ct_stream_lock;
extern pthread_cond_t ct_stream_progress; /* some work completed */
extern struct ct_stream *ct_stream_list;
extern __thread int ct_stream_on_thread; /* the calling thread is a stream's */

struct ct_stream *ct_stream_hold(struct ct_stream *stream);
void ct_stream_release(struct ct_stream *stream);

/* The stream of a handle with a reference for the caller, or NULL. */
struct ct_stream *ct_stream_find(cudaStream_t handle);

/* A device's legacy default stream. */
int ct_stream_is_legacy(const struct ct_stream *stream);

/* With the lock held. */
int ct_stream_is_pending(const struct ct_stream *stream);
/* Does new work of the stream have to wait for what is in the other? */
int ct_stream_synchronises(const struct ct_stream *stream, const struct ct_stream *other);
cudaError_t ct_stream_append(struct ct_stream *stream, struct ct_work *work,
			     const struct ct_point *after, struct ct_point *point);

#endif
