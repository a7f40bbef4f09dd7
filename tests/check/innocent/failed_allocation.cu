// SPDX-License-Identifier: Apache-2.0
// An allocation that fails is noticed, and a smaller one made.
#include <cstdio>

__global__ void fill(char *x, int n)
{
	if (threadIdx.x < n)
		x[threadIdx.x] = 1;
}

int main()
{
	char *x = nullptr;
	size_t bytes = (size_t)1 << 50;

	while (cudaMalloc(&x, bytes) == cudaErrorMemoryAllocation) {
		cudaGetLastError();
		bytes = 64;
	}
	fill<<<1, 64>>>(x, (int)bytes);
	cudaDeviceSynchronize();
	cudaFree(x);
	puts("done");
	return 0;
}
