/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows from the program's own synchronisation: an ORDER event says
 * so, launches are done, leftovers can be flushed, a fault shows.
 */
#ifndef CT_HOST_RT_STREAMS_SYNC_H
#define CT_HOST_RT_STREAMS_SYNC_H

#include "host-rt/events/device.h"
#include <cuda_runtime_api.h>
#include <stdbool.h>

enum ct_sync_scope {
	CT_SYNC_NOTHING, /* a point to flush at, no launch is known to be done */
	CT_SYNC_COPY,    /* a copy, and what its stream did before: its own event tells */
	CT_SYNC_EVENT,
	CT_SYNC_STREAM,
	CT_SYNC_DEVICE,
};

struct ct_sync {
	enum ct_sync_scope scope;
	cudaStream_t stream;
	bool per_thread; /* as in streams.h */
	cudaEvent_t event;
};

/* After a synchronising call of the program that returned error: if that is cudaSuccess, the host
 * has waited. */
void ct_sync_after(cudaError_t error, const struct ct_sync *sync);

/* The same for one scope each; they return error. A query that is not ready is no wait. */
cudaError_t ct_sync_device(cudaError_t error);
cudaError_t ct_sync_stream(cudaError_t error, cudaStream_t stream, bool per_thread);
cudaError_t ct_sync_event(cudaError_t error, cudaEvent_t event);

/* All work of the device is done after this, or it has failed. Without the lock. */
void ct_sync_wait(const struct ct_device *device);

/* End with a device: wait for it, take everything, stop its consumer. Session's lock
 * held, in a quiet section. release: its memory is freed (else the context is about to go). */
void ct_sync_finish(const struct ct_device *device, bool release);

#endif
