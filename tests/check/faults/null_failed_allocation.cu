// SPDX-License-Identifier: Apache-2.0
// An allocation fails, its result is not looked at, and the pointer is null. The kernel ends with
// an error.
#include <cstdio>

__global__ void fill(char *out, size_t n)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = 1; // check: no-memory
}

int main()
{
	char *huge = nullptr;

	cudaMalloc(&huge, (size_t)1 << 50);
	cudaGetLastError();
	fill<<<2, 64>>>(huge, 128);
	printf("%d\n", cudaDeviceSynchronize() != cudaSuccess);
	return 0;
}
