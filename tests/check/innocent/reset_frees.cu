// SPDX-License-Identifier: Apache-2.0
// cudaDeviceReset() gives all memory of the device back.
#include <cstdio>

__global__ void fill(int *x)
{
	x[threadIdx.x] = 1;
}

int main()
{
	int *x;

	cudaMalloc(&x, 64 * sizeof(int));
	fill<<<1, 64>>>(x);
	cudaDeviceSynchronize();
	cudaDeviceReset();
	puts("done");
	return 0;
}
