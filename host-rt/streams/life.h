/* SPDX-License-Identifier: Apache-2.0 */
/* STREAM events: streams that the program makes and destroys. Calls return the error they are
 * given. */
#ifndef CT_HOST_RT_STREAMS_LIFE_H
#define CT_HOST_RT_STREAMS_LIFE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

/* After the call that makes one. */
cudaError_t ct_stream_made(cudaError_t error, const cudaStream_t *stream, unsigned flags);
/* Whether the program has made one that does not synchronise with the legacy default stream. */
bool ct_stream_is_any_non_blocking(void);

/* Before and after the call that destroys one; the first returns an id for the second. */
uint64_t ct_stream_leaving(cudaStream_t stream);
cudaError_t ct_stream_destroyed(cudaError_t error, cudaStream_t stream, uint64_t id);

#endif
