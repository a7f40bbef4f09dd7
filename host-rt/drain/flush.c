/* SPDX-License-Identifier: Apache-2.0 */
/* Launch the flush kernel (device-rt/kernels.cu) and read the producer's counters. */
#include "host-rt/drain/flush.h"
#include "host-rt/calls/symbols.h"
#include <cudatrace/error.h>

#define FLUSH_THREADS 256u
#define SLOTS_PER_BLOCK (FLUSH_THREADS / 32)

/* Absent from the CPU target's archive. */
extern const void *__ct_flush_kernel(void) __attribute__((weak));

int ct_flush_load(void)
{
	struct cudaFuncAttributes attributes;

	if (!__ct_flush_kernel)
		return 0;
	return cudaFuncGetAttributes(&attributes, __ct_flush_kernel()) == cudaSuccess ? 0
										      : -CT_ECUDA;
}

int ct_flush_start(struct ct_drain *drain)
{
	dim3 grid = {(drain->context.slots + SLOTS_PER_BLOCK - 1) / SLOTS_PER_BLOCK, 1, 1};
	dim3 block = {FLUSH_THREADS, 1, 1};
	void *arguments[] = {&drain->context_address};

	drain->unflushed_launches = 0;
	if (!drain->context.slots || !__ct_flush_kernel)
		return 0;
	if (__real_cudaLaunchKernel(__ct_flush_kernel(), grid, block, arguments, 0,
				    drain->stream) != cudaSuccess)
		return -CT_ECUDA;
	return 0;
}

int ct_flush_wait(struct ct_drain *drain)
{
	int err = ct_flush_start(drain);

	if (err < 0)
		return err;
	return __real_cudaStreamSynchronize(drain->stream) == cudaSuccess ? 0 : -CT_ECUDA;
}

int ct_flush_read_later(struct ct_drain *drain, size_t offset, void *to, size_t bytes)
{
	const char *source = (const char *)drain->device_memory + offset;

	if (__real_cudaMemcpyAsync(to, source, bytes, cudaMemcpyDeviceToHost, drain->stream) !=
	    cudaSuccess)
		return -CT_ECUDA;
	return 0;
}

int ct_flush_read(struct ct_drain *drain, size_t offset, void *to, size_t bytes)
{
	if (ct_flush_read_later(drain, offset, to, bytes) < 0 ||
	    __real_cudaStreamSynchronize(drain->stream) != cudaSuccess)
		return -CT_ECUDA;
	return 0;
}
