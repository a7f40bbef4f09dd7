/* SPDX-License-Identifier: Apache-2.0 */
/* A warp owns what it wrote before in the same launch, not what another warp wrote. */
#include "run.h"

__global__ void fill(volatile int *a)
{
	a[blockIdx.x * 64 + threadIdx.x] = 1;
}

__global__ void mix(volatile int *a, int *b)
{
	int i = blockIdx.x * 64 + threadIdx.x;

	a[i] = 2;
	__syncthreads();
	b[i] = a[i ^ 1] + a[i ^ 32];
}

int main()
{
	int *a, *b;

	must(cudaMalloc(&a, 2 * 64 * sizeof(int)));
	must(cudaMalloc(&b, 2 * 64 * sizeof(int)));

	fill<<<2, 64>>>(a);
	mix<<<2, 64>>>(a, b);
	return finish();
}
