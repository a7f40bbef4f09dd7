/* SPDX-License-Identifier: Apache-2.0 */
/* Events: remembered points of streams, with the time they were reached. */
#ifndef CT_CPU_TARGET_RUNTIME_STREAM_EVENT_H
#define CT_CPU_TARGET_RUNTIME_STREAM_EVENT_H

#include "cpu-target/runtime/stream/stream.h"

/* Destroyed, an event lives until what was queued with it has run. */
cudaError_t ct_event_create(cudaEvent_t *event, unsigned flags);
cudaError_t ct_event_destroy(cudaEvent_t event);

/* Between the last records of both; cudaErrorNotReady while one is to come. */
cudaError_t ct_event_elapsed(float *ms, cudaEvent_t start, cudaEvent_t end);

/* The point of the event's last record ({NULL, 0} if never recorded), with a
 * reference for the caller. cudaErrorInvalidResourceHandle if there is no such
 * event. */
cudaError_t ct_event_point(cudaEvent_t event, struct ct_point *point);

/* Queue a record of the event. */
cudaError_t ct_event_record(cudaEvent_t event, cudaStream_t stream);

/* Work submitted to the stream from now on waits for the event's last record. */
cudaError_t ct_event_wait(cudaStream_t stream, cudaEvent_t event);

/* For graphs: the event's last record is reached at point; and the moment it
 * was. Nothing if there is no such event any more. */
void ct_event_move(cudaEvent_t event, const struct ct_point *point);
void ct_event_stamp(cudaEvent_t event);

#endif
