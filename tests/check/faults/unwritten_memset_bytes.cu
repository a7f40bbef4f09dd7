// SPDX-License-Identifier: Apache-2.0
// memset is given the number of elements in place of the number of bytes.
#include <cstdio>

__global__ void add_one(int *counters, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		counters[i] += 1; // check: uninitialized-read
}

int main()
{
	const int n = 512;
	int *counters;

	cudaMalloc(&counters, n * sizeof(int));
	cudaMemset(counters, 0, n);
	add_one<<<n / 128, 128>>>(counters, n);
	cudaDeviceSynchronize();
	cudaFree(counters);
	puts("done");
	return 0;
}
