/* SPDX-License-Identifier: Apache-2.0 */
/* All to all: CTA d reads the d-th eight elements of each CTA's 32. */
#include "run.h"

__global__ void fill(int *a)
{
	a[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
}

__global__ void transpose(const int *a, int *b)
{
	int from = threadIdx.x / 8, i = threadIdx.x % 8;

	b[blockIdx.x * 32 + threadIdx.x] = a[from * 32 + blockIdx.x * 8 + i];
}

int main()
{
	int *a, *b;

	must(cudaMalloc(&a, 4 * 32 * sizeof(int)));
	must(cudaMalloc(&b, 4 * 32 * sizeof(int)));

	fill<<<4, 32>>>(a);
	transpose<<<4, 32>>>(a, b);
	return finish();
}
