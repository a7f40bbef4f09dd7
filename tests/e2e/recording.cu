/* SPDX-License-Identifier: Apache-2.0 */
/* run-recording.sh compiles this with each option; one block of 64 threads per kernel. */
#include "features/feature.h"

__constant__ int table[64];

__device__ int inlined(const int *p)
{
	return p[threadIdx.x];
}

__device__ __noinline__ int called(const int *p, int depth)
{
	return depth ? inlined(p) - called(p, depth - 1) : 0;
}

[[noreturn]] __device__ __noinline__ void stop(int *p)
{
	p[threadIdx.x] = -1;
	asm volatile("exit;");
	__builtin_unreachable();
}

/* Loads: table, in, tile. Stores: tile, out. Two atomics of half of the threads. */
__global__ void mixed(int *out, const int *in)
{
	__shared__ int tile[64];

	tile[threadIdx.x] = in[threadIdx.x] + table[threadIdx.x];
	__syncthreads();
	if (threadIdx.x < 32)
		atomicAdd(out + 64 + threadIdx.x, 7);
	out[threadIdx.x] = tile[63 - threadIdx.x];
}

/* Half of the threads end in stop. */
__global__ void nested(int *out, const int *in)
{
	out[threadIdx.x] = called(in, 3);
	if (threadIdx.x >= 32)
		stop(out);
}

int main()
{
	int *out = device_array<int>(96), *in = device_array<int>(64), host[64];

	for (int i = 0; i < 64; i++)
		host[i] = 3 * i;
	upload(in, host, 64);
	mixed<<<1, 64>>>(out, in);
	check("mixed", all_equal(out, 64, [](int i) { return 3 * (63 - i); }));
	nested<<<1, 64>>>(out, in);
	check("nested", all_equal(out, 64, [](int i) { return i < 32 ? 3 * i : -1; }));
	return finish();
}
