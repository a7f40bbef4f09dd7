// SPDX-License-Identifier: Apache-2.0
// What run-races.sh looks for: kernels with races, and such as only look like it. Each has four
// CTAs of 128 threads.
#include "features/feature.h"

#define THREADS 128

static __device__ int at()
{
	return blockIdx.x * THREADS + threadIdx.x;
}

// All CTAs store the same elements.
__global__ void one_row(int *out)
{
	out[threadIdx.x] = 1;
}

// In place, neighbours: at the edges of CTAs, and of warps within them.
__global__ void shift(int *out)
{
	out[at()] = out[at() + 1];
}

__global__ void no_barrier(int *out)
{
	__shared__ int tile[THREADS];

	tile[threadIdx.x] = at();
	out[at()] = tile[THREADS - 1 - threadIdx.x];
}

// Innocent from here on.
__global__ void own_elements(int *out)
{
	out[at()] += 1;
}

__global__ void with_barrier(int *out)
{
	__shared__ int tile[THREADS];

	tile[threadIdx.x] = at();
	__syncthreads();
	out[at()] = tile[THREADS - 1 - threadIdx.x];
}

// Again and again, with barriers before and behind.
__global__ void rounds(int *out)
{
	__shared__ int tile[THREADS];
	int sum = 0;

	for (int i = 0; i < 3; i++) {
		tile[threadIdx.x] = i + sum;
		__syncthreads();
		sum += tile[THREADS - 1 - threadIdx.x];
		__syncthreads();
	}
	out[at()] = sum;
}

__global__ void within_warps(int *out)
{
	__shared__ int tile[THREADS];

	tile[threadIdx.x] = at();
	__syncwarp();
	out[at()] = tile[threadIdx.x ^ 1];
}

__global__ void counts(int *out)
{
	atomicAdd(out, 1);
}

// The last CTA to come reads what the others left: a counter orders that.
__global__ void last_reads(int *out, int *counter)
{
	__shared__ int last;

	out[at()] = at();
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0)
		last = atomicAdd(counter, 1) == (int)gridDim.x - 1;
	__syncthreads();
	if (last && threadIdx.x == 0)
		for (unsigned i = 0; i < gridDim.x * THREADS; i++)
			out[i] += 1;
}

// A barrier of some warps only.
__global__ void named_barrier(int *out)
{
	__shared__ int tile[THREADS];

	tile[threadIdx.x] = at();
	if (threadIdx.x < 64)
		asm volatile("barrier.sync 1, 64;" ::: "memory");
	out[at()] = tile[threadIdx.x < 64 ? 63 - threadIdx.x : threadIdx.x];
}

int main()
{
	int *out = device_array<int>(4 * THREADS + 1), *counter = device_array<int>(1);

	one_row<<<4, THREADS>>>(out);
	shift<<<4, THREADS>>>(out);
	no_barrier<<<4, THREADS>>>(out);
	own_elements<<<4, THREADS>>>(out);
	with_barrier<<<4, THREADS>>>(out);
	rounds<<<4, THREADS>>>(out);
	within_warps<<<4, THREADS>>>(out);
	counts<<<4, THREADS>>>(out);
	last_reads<<<4, THREADS>>>(out, counter);
	named_barrier<<<4, THREADS>>>(out);
	check("last", cudaDeviceSynchronize() == cudaSuccess);
	return finish();
}
