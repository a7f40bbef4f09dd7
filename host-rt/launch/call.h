/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what one kernel launch of the program asks for, whichever call it came through. */
#ifndef CT_HOST_RT_LAUNCH_CALL_H
#define CT_HOST_RT_LAUNCH_CALL_H

#include "host-rt/calls/call.h"
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

struct ct_launch_call {
	struct ct_call *from;
	const void *function;
	void **arguments;
	dim3 grid;
	dim3 block;
	dim3 cluster; /* 1 1 1 unless the launch says so */
	size_t shared_bytes;
	cudaStream_t stream;
	bool per_thread; /* stream 0 is the thread's default stream */
	bool cooperative;
	/* Make the real call, for another function with other arguments. */
	cudaError_t (*real)(const struct ct_launch_call *call, const void *function,
			    void **arguments);
	const void *config;  /* for real */
	const char *refused; /* why the clone cannot run, NULL if we know of nothing */
};

static inline uint64_t ct_launch_ctas(const struct ct_launch_call *call)
{
	return (uint64_t)call->grid.x * call->grid.y * call->grid.z;
}

#endif
