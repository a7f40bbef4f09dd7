/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory, static and dynamic, and barriers. */
#include "feature.h"

constexpr int tile = 16, n = 64;

__device__ void multiply(const float *a, const float *b, float *c, float *ta, float *tb)
{
	int x = threadIdx.x, y = threadIdx.y;
	int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
	float sum = 0;

	for (int k = 0; k < n; k += tile) {
		ta[y * tile + x] = a[row * n + k + x];
		tb[y * tile + x] = b[(k + y) * n + column];
		__syncthreads();
		for (int i = 0; i < tile; i++)
			sum += ta[y * tile + i] * tb[i * tile + x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}

__global__ void multiply_static(const float *a, const float *b, float *c)
{
	__shared__ float ta[tile * tile], tb[tile * tile];

	multiply(a, b, c, ta, tb);
}

__global__ void multiply_dynamic(const float *a, const float *b, float *c)
{
	extern __shared__ float memory[];

	multiply(a, b, c, memory, memory + tile * tile);
}

/* Threads leave at different times; those that stay still meet. */
__global__ void divergent(int *out)
{
	__shared__ int sum;

	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	for (int i = 0; i < 10; i++) {
		if (threadIdx.x == i)
			sum += i * i;
		__syncthreads();
		if (threadIdx.x & 1)
			__syncthreads();
		else
			__syncthreads();
		if (threadIdx.x >= 200)
			return;
	}
	out[threadIdx.x] = sum;
}

__global__ void reductions(int *out)
{
	int i = threadIdx.x;

	out[i] = __syncthreads_count(i & 1) + 1000 * __syncthreads_or(i == 3) +
		 10000 * __syncthreads_and(i < 95);
}

/* Named barriers: 64 producers arrive, 64 consumers wait. */
__global__ void named(int *out)
{
	__shared__ int data[64];
	int i = threadIdx.x;

	if (i < 64) {
		data[i] = i * 3;
		__threadfence_block();
		asm volatile("bar.arrive 1, 128;" ::: "memory");
	} else {
		asm volatile("bar.sync 1, 128;" ::: "memory");
		out[i - 64] = data[127 - i];
	}
}

/* All products and sums are small integers: exact in any order. */
static bool is_product(const float *c, const float *a, const float *b)
{
	return all_equal(c, n * n, [&](size_t i) {
		float sum = 0;

		for (int k = 0; k < n; k++)
			sum += a[i / n * n + k] * b[k * n + i % n];
		return sum;
	});
}

int main()
{
	float a[n * n], b[n * n];
	float *da = device_array<float>(n * n), *db = device_array<float>(n * n);
	float *dc = device_array<float>(n * n);
	int *out = device_array<int>(256);
	dim3 grid(n / tile, n / tile), block(tile, tile);

	for (int i = 0; i < n * n; i++) {
		a[i] = i % 7;
		b[i] = i % 5 - 2;
	}
	upload(da, a, n * n);
	upload(db, b, n * n);
	multiply_static<<<grid, block>>>(da, db, dc);
	check("static shared memory", is_product(dc, a, b));
	need(cudaMemset(dc, 0, sizeof(a)), "cudaMemset");
	multiply_dynamic<<<grid, block, 2 * tile * tile * sizeof(float)>>>(da, db, dc);
	check("dynamic shared memory", is_product(dc, a, b));
	divergent<<<1, 256>>>(out);
	check("barriers in divergent code", all_equal(out, 200, [](size_t) { return 285; }));
	reductions<<<1, 96>>>(out);
	check("barrier reductions", all_equal(out, 96, [](size_t) { return 48 + 1000; }));
	named<<<1, 128>>>(out);
	check("named barriers", all_equal(out, 64, [](size_t i) { return (63 - i) * 3; }));
	return finish();
}
