/* SPDX-License-Identifier: Apache-2.0 */
/* Point to point: each CTA reads what the CTA before it wrote; the first reads nothing. */
#include "run.h"

__global__ void put(int *a)
{
	a[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
}

__global__ void take(const int *a, int *b)
{
	if (blockIdx.x > 0)
		b[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x - 1) * 64 + threadIdx.x];
}

int main()
{
	int *a, *b;

	must(cudaMalloc(&a, 5 * 64 * sizeof(int)));
	must(cudaMalloc(&b, 5 * 64 * sizeof(int)));

	put<<<5, 64>>>(a);
	take<<<5, 64>>>(a, b);
	return finish();
}
