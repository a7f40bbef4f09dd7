/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of streams: small numbers in place of handles. Session's lock held. */
#ifndef CT_HOST_RT_STREAMS_STREAMS_H
#define CT_HOST_RT_STREAMS_STREAMS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

/* 0: legacy default stream, else from 1. per_thread: the call came through a
 * _ptsz or _ptds name, where stream 0 is the thread's own default stream. */
uint64_t ct_streams_id(cudaStream_t stream, bool per_thread);

/* The device of the stream with that id; otherwise: what a default stream, which each device
 * has, means. Calls may name streams of other devices than the thread's. */
int ct_streams_device(uint64_t id, int otherwise);

/* The program made a stream: an id that no other had, whatever its handle was before. */
uint64_t ct_streams_made(cudaStream_t stream);
/* Before it destroys one, whose handle may come again at once; returns its id,
 * 0 if it had none. If that fails after all: the stream keeps its id. */
uint64_t ct_streams_forget(cudaStream_t stream);
void ct_streams_keep(cudaStream_t stream, uint64_t id);

/* The stream that a call means. Needs no lock, nor does the next. */
cudaStream_t ct_streams_meant(cudaStream_t stream, bool per_thread);
/* Is it being captured into a graph? May set the CUDA last error. */
bool ct_streams_are_capturing(cudaStream_t stream, bool per_thread);
/* The same, and what CUDA answered: an error is the thread's last one. */
cudaError_t ct_streams_ask_capturing(cudaStream_t stream, bool per_thread, bool *is_capturing);

#endif
