/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of a CTA to itself, and a few to its neighbour. */
#include "run.h"

__global__ void put(int *a)
{
	a[blockIdx.x * 32 + threadIdx.x] = 1;
}

/* 28 elements of its own, 4 of the next CTA */
__global__ void take(const int *a, int *b)
{
	int i = blockIdx.x * 32 + threadIdx.x;

	b[i] = a[(i + 4) % (4 * 32)];
}

int main()
{
	int *a, *b;

	must(cudaMalloc(&a, 4 * 32 * sizeof(int)));
	must(cudaMalloc(&b, 4 * 32 * sizeof(int)));

	put<<<4, 32>>>(a);
	take<<<4, 32>>>(a, b);
	return finish();
}
