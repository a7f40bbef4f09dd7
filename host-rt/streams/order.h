/* SPDX-License-Identifier: Apache-2.0 */
/* Records what orders work of different streams: ORDER events. */
#ifndef CT_HOST_RT_STREAMS_ORDER_H
#define CT_HOST_RT_STREAMS_ORDER_H

#include <cuda_runtime_api.h>
#include <cudatrace/format.h>
#include <stdbool.h>

/* With the session's lock held, in an open session. stream: its id. event: what
 * stands for it, NULL if there is none. */
void ct_order_write(enum ct_order_kind kind, int device, uint64_t stream, const void *event);
/* It stands for nothing any more. With the session's lock held. */
void ct_order_drop(const void *event);

/* After a call that records the event in the stream, or lets the stream wait for it
 * (CT_ORDER_RECORD, CT_ORDER_WAIT): nothing if it failed, or only went into a
 * graph. Returns error. */
cudaError_t ct_order_called(cudaError_t error, enum ct_order_kind kind, cudaEvent_t event,
			    cudaStream_t stream, bool per_thread);

/* Before the program destroys it: its handle may come again. */
void ct_order_forget(cudaEvent_t event);

#endif
