/* SPDX-License-Identifier: Apache-2.0 */
/* The older writer vanishes: half of the array is written anew by other CTAs, then all is read. */
#include "run.h"

__global__ void first(int *a)
{
	a[blockIdx.x * 32 + threadIdx.x] = 1;
}

__global__ void second(int *a)
{
	a[(1 - blockIdx.x) * 32 + threadIdx.x] = 2;
}

__global__ void read(const int *a, int *b)
{
	b[blockIdx.x * 32 + threadIdx.x] = a[blockIdx.x * 32 + threadIdx.x];
}

int main()
{
	int *a, *b;

	must(cudaMalloc(&a, 4 * 32 * sizeof(int)));
	must(cudaMalloc(&b, 4 * 32 * sizeof(int)));

	first<<<4, 32>>>(a);
	second<<<2, 32>>>(a);
	read<<<4, 32>>>(a, b);
	return finish();
}
