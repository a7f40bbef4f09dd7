// SPDX-License-Identifier: Apache-2.0
// Elements beyond the end of an array may well lie in another one.
#include <cstdio>

__global__ void shifted(int *out, int n, int shift)
{
	int i = threadIdx.x;

	if (i < n)
		out[i + shift] = i; // check: out-of-bounds
}

int main()
{
	const int n = 64;
	int *first, *second, *third;

	cudaMalloc(&first, n * sizeof(int));
	cudaMalloc(&second, n * sizeof(int));
	cudaMalloc(&third, n * sizeof(int));
	cudaMemset(second, 0, n * sizeof(int));
	cudaMemset(third, 0, n * sizeof(int));
	shifted<<<1, n>>>(first, n, 2 * n);
	cudaDeviceSynchronize();
	cudaFree(first);
	cudaFree(second);
	cudaFree(third);
	puts("done");
	return 0;
}
