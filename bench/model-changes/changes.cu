/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of kernels that compute the same, one before and one after a change that `ctpost model`
 * knows (docs/model.md): its name says which. `bench.sh` puts what the model says that the change
 * brings beside what it brings.
 *
 *   changes
 */
#include "../../examples/example.h"

enum { SIDE = 1024, ELEMENTS = SIDE * SIDE, THREADS = 256, TURNS = 256, TILE = 32, ROWS = 8 };

/* Neighbouring lanes read elements SIDE apart, or side by side. */
__global__ void coalesce_before(float *to, const float *from)
{
	int i = blockIdx.x * THREADS + threadIdx.x;

	to[i] = 2 * from[i % SIDE * SIDE + i / SIDE];
}

__global__ void coalesce_after(float *to, const float *from)
{
	int i = blockIdx.x * THREADS + threadIdx.x;

	to[i] = 2 * from[i];
}

/* A column of a tile is in one bank, or each element in one of its own. */
template <int pad> __device__ static void transpose(float *to, const float *from)
{
	__shared__ float tile[TILE][TILE + pad];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	for (int r = 0; r < TILE; r += ROWS)
		tile[threadIdx.y + r][threadIdx.x] = from[(y + r) * SIDE + x];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int r = 0; r < TILE; r += ROWS)
		to[(y + r) * SIDE + x] = tile[threadIdx.x][threadIdx.y + r];
}

__global__ void banks_before(float *to, const float *from)
{
	transpose<0>(to, from);
}

__global__ void banks_after(float *to, const float *from)
{
	transpose<1>(to, from);
}

__device__ static float polynomial(float x, float a, float b)
{
	float y = x;

#pragma unroll 8
	for (int t = 0; t < TURNS; t++)
		y = fmaf(y, a, b);
	return y;
}

/* Odd lanes do something else than even ones, or odd warps than even ones. */
__global__ void diverge_before(float *to, const float *from)
{
	int i = blockIdx.x * THREADS + threadIdx.x;

	if (threadIdx.x & 1)
		to[i] = polynomial(from[i], 0.5f, 1);
	else
		to[i] = polynomial(from[i], 0.25f, 3);
}

__global__ void diverge_after(float *to, const float *from)
{
	int i = blockIdx.x * THREADS + threadIdx.x;

	if (threadIdx.x & 32)
		to[i] = polynomial(from[i], 0.5f, 1);
	else
		to[i] = polynomial(from[i], 0.25f, 3);
}

/* A chain of multiply-adds, or two of half the length. Launched with few warps. */
__global__ void parallel_before(float *to, const float *from)
{
	int i = blockIdx.x * THREADS + threadIdx.x;
	float x = from[i], y = 0;

#pragma unroll 8
	for (int t = 0; t < 8 * TURNS; t++)
		y = fmaf(y, 0.5f, x);
	to[i] = y;
}

__global__ void parallel_after(float *to, const float *from)
{
	int i = blockIdx.x * THREADS + threadIdx.x;
	float x = from[i], y = 0, z = 1;

#pragma unroll 4
	for (int t = 0; t < 4 * TURNS; t++) {
		y = fmaf(y, 0.5f, x);
		z = fmaf(z, 0.5f, x);
	}
	to[i] = y + z;
}

/* The next address is what was loaded; shared memory leaves an SM few warps, or many. */
template <int words> __device__ static void walk(float *to, const int *next)
{
	__shared__ int room[words];
	int i = blockIdx.x * THREADS + threadIdx.x, at = i;

	room[threadIdx.x] = i;
	for (int t = 0; t < 32; t++)
		at = next[at];
	to[i] = at + room[threadIdx.x];
}

__global__ void occupy_before(float *to, const int *next)
{
	walk<12000>(to, next);
}

__global__ void occupy_after(float *to, const int *next)
{
	walk<THREADS>(to, next);
}

/* A few dependent operations, with a barrier behind them, or with none. */
template <bool waits> __device__ static void sum(float *to, const float *from)
{
	int i = blockIdx.x * THREADS + threadIdx.x;
	float all = 0, x = from[i];

#pragma unroll 1
	for (int t = 0; t < TURNS; t++) {
		for (int u = 0; u < 8; u++)
			all = fmaf(all, 0.5f, x);
		if (waits)
			__syncthreads();
	}
	to[i] = all;
}

__global__ void barriers_before(float *to, const float *from)
{
	sum<true>(to, from);
}

__global__ void barriers_after(float *to, const float *from)
{
	sum<false>(to, from);
}

int main()
{
	std::vector<float> from(ELEMENTS), to(ELEMENTS);
	std::vector<int> next(ELEMENTS);
	unsigned seed = 3;
	float *a, *b;
	int *c;

	for (int i = 0; i < ELEMENTS; i++) {
		from[i] = (float)example_random(&seed, 256);
		next[i] = (int)(((i / 32 * 40503u + 12345u) % (ELEMENTS / 32)) * 32 + i % 32);
	}
	CHECK(cudaMalloc(&a, ELEMENTS * sizeof(float)));
	CHECK(cudaMalloc(&b, ELEMENTS * sizeof(float)));
	CHECK(cudaMalloc(&c, ELEMENTS * sizeof(int)));
	CHECK(cudaMemcpy(a, from.data(), ELEMENTS * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(c, next.data(), ELEMENTS * sizeof(int), cudaMemcpyHostToDevice));
	for (int round = 0; round < 3; round++) {
		coalesce_before<<<ELEMENTS / THREADS, THREADS>>>(b, a);
		coalesce_after<<<ELEMENTS / THREADS, THREADS>>>(b, a);
		banks_before<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, ROWS)>>>(b, a);
		banks_after<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, ROWS)>>>(b, a);
		diverge_before<<<ELEMENTS / THREADS, THREADS>>>(b, a);
		diverge_after<<<ELEMENTS / THREADS, THREADS>>>(b, a);
		parallel_before<<<132, THREADS>>>(b, a);
		parallel_after<<<132, THREADS>>>(b, a);
		occupy_before<<<1056, THREADS>>>(b, c);
		occupy_after<<<1056, THREADS>>>(b, c);
		barriers_before<<<264, THREADS>>>(b, a);
		barriers_after<<<264, THREADS>>>(b, a);
	}
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(to.data(), b, ELEMENTS * sizeof(float), cudaMemcpyDeviceToHost));
	printf("changes: ok, %g\n", to[1]);
	return 0;
}
