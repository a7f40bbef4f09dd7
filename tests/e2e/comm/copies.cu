/* SPDX-License-Identifier: Apache-2.0 */
/* The host in between: it writes half of what a CTA wrote, copies results, and reads them. */
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
	int host[64] = {0};
	int *a, *b, *c, *d;

	must(cudaMalloc(&a, 2 * 32 * sizeof(int)));
	must(cudaMalloc(&b, 2 * 32 * sizeof(int)));
	must(cudaMalloc(&c, 2 * 32 * sizeof(int)));
	must(cudaMalloc(&d, 2 * 32 * sizeof(int)));

	put<<<2, 32>>>(a);
	must(cudaMemcpy(a, host, 16 * sizeof(int), cudaMemcpyHostToDevice));
	take<<<2, 32>>>(a, b);
	must(cudaMemcpy(c, b, 64 * sizeof(int), cudaMemcpyDeviceToDevice));
	take<<<2, 32>>>(c, d);
	must(cudaMemcpy(host, b, 64 * sizeof(int), cudaMemcpyDeviceToHost));
	return finish();
}
