/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions whose pointers are global at one call and shared at another: seed
 * 001, Figure 5.6. Counted by hand in expect/feature-specialise.expect.
 */
// construct: function specialised per pattern of global arguments
// construct: recursion
// construct: mutual recursion
#include "feature.h"

__device__ __noinline__ void copy(int *to, const int *from)
{
	to[threadIdx.x] = from[threadIdx.x];
}

/* Reverses a block by way of shared memory. */
__global__ void reverse(int *global)
{
	__shared__ int shared[64];

	copy(shared, global);
	__syncthreads();
	if (threadIdx.x < 32) {
		int other = shared[63 - threadIdx.x];

		shared[63 - threadIdx.x] = shared[threadIdx.x];
		shared[threadIdx.x] = other;
	}
	__syncthreads();
	copy(global, shared);
}

__device__ __noinline__ int odd_sum(const int *values, int n);
__device__ __noinline__ int even_sum(const int *values, int n)
{
	return n < 0 ? 0 : values[n] + 2 * odd_sum(values, n - 1);
}
__device__ __noinline__ int odd_sum(const int *values, int n)
{
	return n < 0 ? 0 : values[n] + 3 * even_sum(values, n - 1);
}

/* Eight global loads per thread, none for the shared sums. */
__global__ void recursive(int *out, const int *values)
{
	__shared__ int shared[8];

	if (threadIdx.x < 8)
		shared[threadIdx.x] = 1;
	__syncthreads();
	out[threadIdx.x] = even_sum(values, 7) - even_sum(shared, 7);
}

__device__ __noinline__ int exchange(int *a, int *b, int n)
{
	if (n == 0)
		return 0;
	return *a + exchange(b, a, n - 1);
}

/* The pointers change places at every level: three of six loads are global. */
__global__ void alternating(int *out, int *one)
{
	__shared__ int shared;

	if (threadIdx.x == 0)
		shared = 10;
	__syncthreads();
	out[threadIdx.x] = exchange(one, &shared, 6);
}

int main()
{
	int *block = device_array<int>(64), *out = device_array<int>(64);
	int *values = device_array<int>(8);
	int ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, numbers[64];

	for (int i = 0; i < 64; i++)
		numbers[i] = i;
	upload(block, numbers, 64);
	upload(values, ones, 8);
	reverse<<<1, 64>>>(block);
	check("copied both ways", all_equal(block, 64, [](size_t i) { return 63 - i; }));
	recursive<<<1, 64>>>(out, values);
	check("mutual recursion", all_equal(out, 64, [](size_t) { return 0; }));
	alternating<<<1, 64>>>(out, values);
	check("arguments that change places", all_equal(out, 64, [](size_t) { return 33; }));
	return finish();
}
