// SPDX-License-Identifier: Apache-2.0
// An allocation gets the address of one that was freed before.
#include <cstdio>

__global__ void fill(int *x, int n)
{
	if (threadIdx.x < n)
		x[threadIdx.x] = threadIdx.x;
}

__global__ void sum(const int *x, int n, int *out)
{
	if (threadIdx.x < n)
		atomicAdd(out, x[threadIdx.x]);
}

int main()
{
	int *out;

	cudaMalloc(&out, sizeof(int));
	cudaMemset(out, 0, sizeof(int));
	for (int n = 10; n <= 60; n += 10) {
		int *x;

		cudaMalloc(&x, n * sizeof(int));
		fill<<<1, 64>>>(x, n);
		sum<<<1, 64>>>(x, n, out);
		cudaFree(x);
	}
	cudaFree(out);
	puts("done");
	return 0;
}
