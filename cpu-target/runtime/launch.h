/* SPDX-License-Identifier: Apache-2.0 */
/* Check and queue kernel launches. */
#ifndef CT_CPU_LAUNCH_H
#define CT_CPU_LAUNCH_H

#include <cuda_runtime_api.h>

struct ct_launch_request {
	const void *stub;
	dim3 grid, block;
	size_t dynamic_shared_bytes;
	int cooperative;
	cudaStream_t stream;
	void **args; /* copied before the call returns */
};

cudaError_t ct_launch_submit(const struct ct_launch_request *request);

/* Blocks of a kernel that are resident on one SM (worker) at once, as on sm_90. */
int ct_launch_occupancy(unsigned threads_per_block, size_t shared_bytes);

/* Called around every <<<>>> by code that clang emits. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
				     struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);

#endif
