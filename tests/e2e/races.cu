// SPDX-License-Identifier: Apache-2.0
// run-races.sh looks for these: kernels with races, and such as only look like it. Each has four
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

// CTAs have elements in common with their neighbours: what each stores there is the same, or not.
__global__ void same_halo(int *out)
{
	int i = blockIdx.x * 96 + threadIdx.x;

	out[i] = 1000 * i;
}

__global__ void other_halo(int *out)
{
	out[blockIdx.x * 96 + threadIdx.x] = blockIdx.x << 8;
}

// One of four stores another value, in one byte of its element.
__global__ void odd_one(int *out)
{
	if (threadIdx.x == 0)
		*out = blockIdx.x == 3 ? 0x10001 : 1;
}

// All warps find it, and say so.
__global__ void flag(int *out)
{
	*out = 1;
}

// All store one value, and another warp of one CTA loads: that it is the same does not help the
// load.
__global__ void flag_is_read(int *out, int *copy)
{
	if (threadIdx.x == 0)
		*out = 1;
	if (threadIdx.x == 32 && blockIdx.x == 0)
		*copy = *out;
}

// A sum whose rounds lack a barrier; that it is added to others' at the end orders nothing.
__global__ void sum_without(int *out)
{
	__shared__ int tile[THREADS];

	tile[threadIdx.x] = at();
	__syncthreads();
	if (threadIdx.x < 64)
		tile[threadIdx.x] += tile[threadIdx.x + 64];
	if (threadIdx.x < 32)
		atomicAdd(out, tile[threadIdx.x] + tile[threadIdx.x + 32]);
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

// The same with a barrier.
__global__ void sum_with(int *out)
{
	__shared__ int tile[THREADS];

	tile[threadIdx.x] = at();
	__syncthreads();
	if (threadIdx.x < 64)
		tile[threadIdx.x] += tile[threadIdx.x + 64];
	__syncthreads();
	if (threadIdx.x < 32)
		atomicAdd(out, tile[threadIdx.x] + tile[threadIdx.x + 32]);
}

// Who finds the count knows that the rest is there.
__global__ void announced(int *out, int *count)
{
	if (blockIdx.x == 0 && threadIdx.x == 0) {
		*out = 1;
		__threadfence();
		atomicAdd(count, 1);
	} else if (threadIdx.x == 0 && *count) {
		*out = 2;
	}
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
	same_halo<<<4, THREADS>>>(out);
	other_halo<<<4, THREADS>>>(out);
	odd_one<<<4, THREADS>>>(out);
	flag<<<4, THREADS>>>(out);
	flag_is_read<<<4, THREADS>>>(out, counter);
	sum_without<<<4, THREADS>>>(out);
	check("memset", cudaMemset(counter, 0, sizeof(int)) == cudaSuccess);
	own_elements<<<4, THREADS>>>(out);
	with_barrier<<<4, THREADS>>>(out);
	rounds<<<4, THREADS>>>(out);
	within_warps<<<4, THREADS>>>(out);
	counts<<<4, THREADS>>>(out);
	sum_with<<<4, THREADS>>>(out);
	announced<<<4, THREADS>>>(out, counter);
	check("memset", cudaMemset(counter, 0, sizeof(int)) == cudaSuccess);
	last_reads<<<4, THREADS>>>(out, counter);
	named_barrier<<<4, THREADS>>>(out);
	check("last", cudaDeviceSynchronize() == cudaSuccess);
	return finish();
}
