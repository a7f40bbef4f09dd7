/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams: in-order queues of work, each with a thread as long as it has some.
 *
 * Work runs when the work before it in its stream, and every point it depends
 * on, is complete. The legacy default stream and the blocking streams wait for
 * each other by dependencies that submission adds. All functions may be called
 * from any thread.
 */
#ifndef CT_CPU_TARGET_RUNTIME_STREAM_STREAM_H
#define CT_CPU_TARGET_RUNTIME_STREAM_STREAM_H

#include <cuda_runtime_api.h>
#include <cudatrace/activity.h>
#include <stdint.h>

struct ct_stream;

/* A position in a stream; holds a reference. {NULL, 0} is always complete. */
struct ct_point {
	struct ct_stream *stream;
	uint64_t sequence;
};

/* First member of what is queued; allocated with malloc by the submitter,
 * freed by the stream after run. device_error is the sticky error when the
 * work's turn came: with one, run may only finish accounts. */
struct ct_work {
	void (*run)(struct ct_work *work, cudaError_t device_error);
	struct ct_work *next;
	struct ct_point *after; /* [after_count], references held */
	uint32_t after_count;
	uint64_t sequence;
	struct ct_cause cause; /* filled in when it is queued */
};

/* Queues work behind everything in the stream and, if not NULL, behind
 * `after` (borrowed). point, if not NULL, receives the work's position. On an
 * error the work stays the caller's. */
cudaError_t ct_stream_submit(cudaStream_t stream, struct ct_work *work,
			     const struct ct_point *after, struct ct_point *point);

/* Its two halves, for who queues with a lock held: to ask for the cause is to call the tracer,
 * which calls the runtime with locks of its own. */
void ct_stream_ask_cause(cudaStream_t stream, struct ct_work *work);
cudaError_t ct_stream_queue(cudaStream_t stream, struct ct_work *work, const struct ct_point *after,
			    struct ct_point *point);

/* cudaSuccess if the handle is usable, else cudaErrorInvalidResourceHandle. */
cudaError_t ct_stream_check(cudaStream_t stream);

cudaError_t ct_stream_create(cudaStream_t *stream, unsigned flags, int priority);
/* Work already queued still runs. */
cudaError_t ct_stream_destroy(cudaStream_t stream);

/* The device of the stream, -1 if there is no such stream. */
int ct_stream_device(cudaStream_t stream);

/* Properties of a checked handle. Ids: 1 legacy, then in order of creation. */
cudaError_t ct_stream_properties(cudaStream_t stream, unsigned *flags, int *priority,
				 unsigned long long *id);

/* Wait until what is queued now is complete: in one stream; in one stream and
 * those it synchronises with by the rules of the legacy stream; in all of the thread's device.
 * cudaErrorNotPermitted on a thread that serves streams (callbacks). */
cudaError_t ct_stream_wait(cudaStream_t stream);
cudaError_t ct_stream_wait_all(void);
cudaError_t ct_stream_wait_all_devices(void);
/* Would a wait for the stream return at once? Would work submitted now start at
 * once? Not the same: an idle blocking stream waits for the legacy stream. */
int ct_stream_is_idle(cudaStream_t stream);
int ct_stream_starts_at_once(cudaStream_t stream);

int ct_point_is_done(const struct ct_point *point);
cudaError_t ct_point_wait(const struct ct_point *point);
struct ct_point ct_point_copy(const struct ct_point *point);
void ct_point_release(struct ct_point *point);

#endif
