/* SPDX-License-Identifier: Apache-2.0 */
/* Check, prepare and queue kernel launches. */
#ifndef CT_CPU_TARGET_RUNTIME_LAUNCH_LAUNCH_H
#define CT_CPU_TARGET_RUNTIME_LAUNCH_LAUNCH_H

#include "cpu-target/runtime/exec/exec.h"
#include <cuda_runtime_api.h>

struct ct_launch_request {
	const void *stub;
	dim3 grid, block;
	dim3 cluster; /* blocks; 0 in x: what the kernel says, else none */
	size_t dynamic_shared_bytes;
	int cooperative;
	cudaStream_t stream;
	void **args; /* copied before the call returns */
};

/* A launch that passed its checks, with copies of the arguments. */
struct ct_checked_launch {
	struct ct_launch_request request; /* args: the copies; stream unused */
	struct ct_cpu_grid grid;
};

/* call is freed by free(). */
cudaError_t ct_launch_prepare(const struct ct_launch_request *request,
			      struct ct_checked_launch **call);
/* Runs the grid and waits for it; a failure becomes the sticky error. */
void ct_launch_run(struct ct_checked_launch *call);

/* Queues a prepared launch. On an error the call stays the caller's. */
cudaError_t ct_launch_queue(struct ct_checked_launch *call, cudaStream_t stream);

/* Blocks of a kernel that are resident on one SM (worker) at once, as on sm_90. */
int ct_launch_occupancy(unsigned threads_per_block, size_t shared_bytes);

/* Shared memory of each of so many blocks on one SM. */
size_t ct_launch_shared_share(unsigned blocks);

#define CT_CLUSTER_BLOCKS_PORTABLE 8
#define CT_CLUSTER_BLOCKS_MAX 16

/* Applies the attributes of a launch. */
void ct_launch_apply_attributes(struct ct_launch_request *request,
				const cudaLaunchAttribute *attributes, unsigned count);

/* Called around every <<<>>> by code that clang emits. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
				     struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);

#endif
