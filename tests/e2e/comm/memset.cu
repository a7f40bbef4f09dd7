/* SPDX-License-Identifier: Apache-2.0 */
/* A memset in between: two ints of each row of 16 are no longer the CTA's. */
#include "run.h"

__global__ void put(int *a)
{
	a[blockIdx.x * 32 + threadIdx.x] = 1;
}

/* Reads the other CTA's part. */
__global__ void take(const int *a, int *b)
{
	b[blockIdx.x * 32 + threadIdx.x] = a[(1 - blockIdx.x) * 32 + threadIdx.x];
}

int main()
{
	int *a, *b;

	must(cudaMalloc(&a, 2 * 32 * sizeof(int)));
	must(cudaMalloc(&b, 2 * 32 * sizeof(int)));

	put<<<2, 32>>>(a);
	must(cudaMemset2D(a, 64, 0, 8, 4));
	take<<<2, 32>>>(a, b);
	return finish();
}
