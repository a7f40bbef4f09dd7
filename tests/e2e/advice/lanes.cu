// SPDX-License-Identifier: Apache-2.0
// Lanes that part at branches, and atomics at which they meet.
// judged: divergent-branches, few-active-lanes, contended-atomics
#include "cases.h"
#include <cooperative_groups.h>

static const int N = 4096, T = 256;

static int *numbers(int count)
{
	int *memory = allocated<int>(count);
	std::vector<int> host(count);

	for (int i = 0; i < count; i++)
		host[i] = i * 37 % 1001;
	copy_in(memory, host);
	return memory;
}

// case modulo
// Every second, fourth, ... thread works: all warps go on, with fewer and fewer lanes.
static __global__ void modulo(const int *in, int *out)
{
	__shared__ int sum[T];
	unsigned t = threadIdx.x;

	sum[t] = in[index()];
	__syncthreads();
	for (unsigned s = 1; s < T; s *= 2) {
		if (t % (2 * s) == 0) // has divergent-branches: go the same way
			sum[t] += sum[t + s];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = sum[0];
}

CASE(modulo)
{
	int *in = numbers(N), *out = allocated<int>(N / T);

	modulo<<<N / T, T>>>(in, out);
	copy_out(out, N / T);
}

// case halving
// As above, by whole warps; the last ones and the epilogue are what cannot be otherwise.
static __global__ void halving(const int *in, int *out)
{
	__shared__ int sum[T];
	unsigned t = threadIdx.x;

	sum[t] = in[index()];
	__syncthreads();
	for (unsigned s = T / 2; s > 0; s /= 2) {
		if (t < s)
			sum[t] += sum[t + s];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = sum[0];
}

CASE(halving)
{
	int *in = numbers(N), *out = allocated<int>(N / T);

	halving<<<N / T, T>>>(in, out);
	copy_out(out, N / T);
}

// case shuffles
static __global__ void shuffles(const int *in, int *out)
{
	__shared__ int part[T / 32];
	unsigned t = threadIdx.x;
	int v = in[index()];

	for (int d = 16; d > 0; d /= 2)
		v += __shfl_down_sync(~0u, v, d);
	if (t % 32 == 0)
		part[t / 32] = v;
	__syncthreads();
	if (t < 32) {
		v = t < T / 32 ? part[t] : 0;
		for (int d = 4; d > 0; d /= 2)
			v += __shfl_down_sync(~0u, v, d);
		if (t == 0)
			out[blockIdx.x] = v;
	}
}

CASE(shuffles)
{
	int *in = numbers(N), *out = allocated<int>(N / T);

	shuffles<<<N / T, T>>>(in, out);
	copy_out(out, N / T);
}

// case two_ways
// Both ways take long, and neighbours go different ones. People read its name without its argument.
struct policy_with_a_name_that_few_people_read_twice {
};

template <class Policy> static __global__ void two_ways(const int *in, float *out)
{
	int i = index();
	float v = (float)in[i];

	if (in[i] % 2) { // has divergent-branches: issue slots of two_ways<...>.
#pragma unroll 1
		for (int k = 0; k < 50; k++)
			v = v * 1.0625f + 3;
	} else {
#pragma unroll 1
		for (int k = 0; k < 50; k++)
			v = v * v - (float)k;
	}
	out[i] = v;
}

CASE(two_ways)
{
	float *out = allocated<float>(N);

	two_ways<policy_with_a_name_that_few_people_read_twice><<<N / T, T>>>(numbers(N), out);
	copy_out(out, N);
}

// case ragged
// Each lane turns as often as its row is long: the branch parts few times, the others wait long.
static __global__ void ragged(const int *rows, int *out)
{
	int i = index(), v = i;

#pragma unroll 1
	for (int k = 0; k < rows[i]; k++) // has divergent-branches: ragged
		v = v * 5 + k;
	out[i] = v;
}

CASE(ragged)
{
	int *rows = allocated<int>(N), *out = allocated<int>(N);
	std::vector<int> host(N);

	for (int i = 0; i < N; i++)
		host[i] = i % 32 == 7 ? 400 : 10;
	copy_in(rows, host);
	ragged<<<N / T, T>>>(rows, out);
	copy_out(out, N);
}

// case serial
// One thread does the work of its thread block.
static __global__ void serial(const int *in, int *out)
{
	__shared__ int all[T];

	all[threadIdx.x] = in[index()];
	__syncthreads();
	if (threadIdx.x == 0) { // has divergent-branches: Give all lanes a part
		int sum = 0;
#pragma unroll 1
		for (int i = 0; i < T; i++)
			sum += all[i];
		out[blockIdx.x] = sum;
	}
}

CASE(serial)
{
	int *in = numbers(N), *out = allocated<int>(N / T);

	serial<<<N / T, T>>>(in, out);
	copy_out(out, N / T);
}

// case one_warp
// The whole launch is a warp, whose issue slots nothing else waits for.
static __global__ void steps_of_one(float *x)
{
	int n = (int)threadIdx.x * 8;

	for (int i = 0; i < n; i++)
		x[threadIdx.x] = x[threadIdx.x] * .5f + 1;
}

CASE(one_warp)
{
	ALLOCATE(float, x, 32);

	OK(cudaMemset(x, 0, 32 * sizeof(float)));
	steps_of_one<<<1, 32>>>(x);
	copy_out(x, 32);
}

// case boundary
// The last warp alone has fewer elements than lanes.
static __global__ void scale(float *a, int n)
{
	int i = index();

	if (i >= n)
		return;
#pragma unroll 1
	for (int k = 0; k < 100; k++)
		a[i] = a[i] * 0.5f + 1;
}

CASE(boundary)
{
	float *a = allocated<float>(100);

	OK(cudaMemset(a, 0, 400));
	scale<<<2, 64>>>(a, 100);
	copy_out(a, 100);
}

// case queue
// Lanes take their places one by one: that they part is nothing beside it.
static __device__ int tail;

static __global__ void each(const int *in, int *queue)
{
	int v = in[index()];

	if (v & 1)
		queue[atomicAdd(&tail, 1)] = v; // has contended-atomics: one lane do the atomic
}

CASE(queue)
{
	int *in = numbers(N), *out = allocated<int>(N);

	each<<<N / T, T>>>(in, out);
	copy_out(out, 16);
}

// case queue_of_warps
// As advised above.
static __global__ void aggregated(const int *in, int *queue)
{
	int v = in[index()], lane = threadIdx.x % 32, base = 0;
	unsigned mask = __ballot_sync(~0u, v & 1);

	if (lane == 0)
		base = atomicAdd(&tail, __popc(mask));
	base = __shfl_sync(~0u, base, 0);
	if (v & 1)
		queue[base + __popc(mask & ((1u << lane) - 1))] = v;
}

CASE(queue_of_warps)
{
	int *in = numbers(N), *out = allocated<int>(N);

	aggregated<<<N / T, T>>>(in, out);
	copy_out(out, 16);
}

// case grid
// One thread of each thread block waits for the others in grid.sync().
static __global__ void together(int *a)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();

	for (int k = 0; k < 4; k++) {
		a[index()] += k;
		grid.sync();
	}
}

CASE(grid)
{
	int *a = numbers(256);
	void *arguments[] = {&a};

	OK(cudaLaunchCooperativeKernel((const void *)together, dim3(4), dim3(64), arguments, 0,
				       nullptr));
	copy_out(a, 256);
}
