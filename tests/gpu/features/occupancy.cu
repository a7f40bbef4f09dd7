/* SPDX-License-Identifier: Apache-2.0 */
/* Occupancy and attributes are those of the program's kernel; a grid sized by them runs, traced if
 * it fits. The runs of this program with and without tracing must print the same. */
#include "feature.h"

// construct: occupancy queries
// construct: cooperative launch sized by occupancy

__global__ void sum(int *total, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(total, i);
}

int main()
{
	int *total = device_array<int>(1), blocks = 0, least = 0, best = 0, sms = 0, n = 1000;
	void *arguments[] = {&total, &n};
	cudaFuncAttributes attributes;
	size_t shared = 0;

	need(cudaFuncGetAttributes(&attributes, sum), "cudaFuncGetAttributes");
	printf("registers %d, shared %zu, local %zu, threads %d\n", attributes.numRegs,
	       attributes.sharedSizeBytes, attributes.localSizeBytes,
	       attributes.maxThreadsPerBlock);
	need(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum, 512, 0), "blocks");
	need(cudaOccupancyMaxPotentialBlockSize(&least, &best, sum, 0, 0), "block size");
	need(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, sum, 1, 512), "shared memory");
	printf("blocks %d, least %d, best %d, shared %zu\n", blocks, least, best, shared);
	need(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "multiprocessors");

	need(cudaLaunchCooperativeKernel((void *)sum, dim3(sms), dim3(512), arguments, 0, 0),
	     "one block each");
	check("one-each", all_equal(total, 1, [](size_t) { return 499500; }));
	/* The instrumented kernel has more registers and more shared memory. */
	need(cudaLaunchCooperativeKernel((void *)sum, dim3(sms * blocks), dim3(512), arguments, 0,
					 0),
	     "all that fit");
	check("all-that-fit", all_equal(total, 1, [](size_t) { return 999000; }));
	return finish();
}
