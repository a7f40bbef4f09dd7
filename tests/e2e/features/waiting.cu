/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and blocks that wait for each other without barriers. */
#include "feature.h"

__global__ void locked_count(int *lock, int *count)
{
	bool done = false;

	while (!done) {
		if (atomicCAS(lock, 0, 1) == 0) {
			*(volatile int *)count += 1;
			__threadfence();
			atomicExch(lock, 0);
			done = true;
		}
	}
}

/* Thread 0 waits for a flag of the last thread of the block. */
__global__ void wait_in_block(int *out)
{
	__shared__ volatile int flag;

	if (threadIdx.x == 0)
		flag = 0;
	__syncthreads();
	if (threadIdx.x == 0) {
		while (flag == 0)
			;
		out[0] = flag;
	} else if (threadIdx.x == blockDim.x - 1) {
		flag = 42;
	}
}

/* No barrier at all: thread i waits for thread i + 1. */
__global__ void chain(volatile int *links)
{
	int i = threadIdx.x;

	if (i + 1 < (int)blockDim.x)
		while (links[i + 1] == 0)
			;
	__threadfence();
	links[i] = i + 1 < (int)blockDim.x ? links[i + 1] + 1 : 1;
}

/* Each block adds to what the block before it has published. */
__global__ void look_back(int *published)
{
	int b = blockIdx.x;

	if (threadIdx.x != 0)
		return;
	if (b > 0)
		while (atomicAdd(&published[b - 1], 0) == 0)
			__nanosleep(100);
	__threadfence();
	atomicExch(&published[b], (b > 0 ? atomicAdd(&published[b - 1], 0) : 0) + b + 1);
}

__global__ void last_block(int *counter, int *partial, int *sum)
{
	__shared__ bool is_last;

	if (threadIdx.x == 0) {
		partial[blockIdx.x] = blockIdx.x + 1;
		__threadfence();
		is_last = atomicAdd(counter, 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (is_last && threadIdx.x == 0)
		for (unsigned i = 0; i < gridDim.x; i++)
			*sum += ((volatile int *)partial)[i];
}

int main()
{
	int *out = device_array<int>(256);

	locked_count<<<8, 64>>>(out, out + 1);
	check("spin lock", all_equal(out + 1, 1, [](size_t) { return 512; }));
	wait_in_block<<<1, 96>>>(out);
	check("flag in shared memory", all_equal(out, 1, [](size_t) { return 42; }));
	need(cudaMemset(out, 0, 256 * sizeof(int)), "cudaMemset");
	chain<<<1, 128>>>(out);
	check("chain of threads", all_equal(out, 128, [](size_t i) { return 128 - i; }));
	need(cudaMemset(out, 0, 256 * sizeof(int)), "cudaMemset");
	look_back<<<100, 32>>>(out);
	check("look-back over blocks",
	      all_equal(out, 100, [](size_t i) { return (i + 1) * (i + 2) / 2; }));
	need(cudaMemset(out, 0, 256 * sizeof(int)), "cudaMemset");
	last_block<<<50, 32>>>(out, out + 2, out + 1);
	check("last block", all_equal(out + 1, 1, [](size_t) { return 50 * 51 / 2; }));
	return finish();
}
