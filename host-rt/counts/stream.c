/* SPDX-License-Identifier: Apache-2.0 */
/* Launch the kernels of tier counts, or on the CPU target put host functions in their place. */
#include "host-rt/counts/stream.h"
#include "host-rt/calls/symbols.h"
#include <stdlib.h>

#define COLLECT_THREADS 256u

/* Absent from the CPU target's archive. */
extern const void *__ct_counts_collect_kernel(void) __attribute__((weak));
extern const void *__ct_counts_objects_kernel(void) __attribute__((weak));

struct batch_call {
	uint64_t area;
	struct ct_counts_batch batch;
};

bool ct_counts_stream_load(void)
{
	struct cudaFuncAttributes attributes;

	return !__ct_counts_collect_kernel ||
	       (cudaFuncGetAttributes(&attributes, __ct_counts_collect_kernel()) == cudaSuccess &&
		cudaFuncGetAttributes(&attributes, __ct_counts_objects_kernel()) == cudaSuccess);
}

static void collect_on_host(void *user)
{
	struct ct_counts_collect *call = user;

	ct_counts_reduce(call);
	free(call);
}

static void objects_on_host(void *user)
{
	struct batch_call *call = user;

	ct_counts_tell_objects(call->area, &call->batch);
	free(call);
}

/* The function frees copy. */
static cudaError_t call_on_host(cudaStream_t stream, cudaHostFn_t function, void *copy)
{
	cudaError_t error =
	    copy ? __real_cudaLaunchHostFunc(stream, function, copy) : cudaErrorMemoryAllocation;

	if (error != cudaSuccess)
		free(copy);
	return error;
}

cudaError_t ct_counts_stream_collect(const struct ct_counts_collect *collect, uint32_t ctas,
				     cudaStream_t stream)
{
	struct ct_counts_collect call = *collect, *copy;
	void *arguments[] = {&call.area, &call.ring, &call.launch, &call.number, &call.unit};
	dim3 grid = {ctas, 1, 1}, block = {COLLECT_THREADS, 1, 1};

	if (__ct_counts_collect_kernel)
		return __real_cudaLaunchKernel(__ct_counts_collect_kernel(), grid, block, arguments,
					       0, stream);
	copy = malloc(sizeof(*copy));
	if (copy)
		*copy = call;
	return call_on_host(stream, collect_on_host, copy);
}

cudaError_t ct_counts_stream_objects(uint64_t area, const struct ct_counts_batch *batch,
				     cudaStream_t stream)
{
	struct batch_call call = {area, *batch}, *copy;
	void *arguments[] = {&call.area, &call.batch};
	dim3 grid = {1, 1, 1}, block = {CT_COUNTS_BATCH, 1, 1};

	if (__ct_counts_objects_kernel)
		return __real_cudaLaunchKernel(__ct_counts_objects_kernel(), grid, block, arguments,
					       0, stream);
	copy = malloc(sizeof(*copy));
	if (copy)
		*copy = call;
	return call_on_host(stream, objects_on_host, copy);
}
