// SPDX-License-Identifier: Apache-2.0
// cudaFree of a variable of the device.
#include <cstdio>

__device__ int table[64];

__global__ void fill(int *x)
{
	x[threadIdx.x] = 1;
}

int main()
{
	int *address;

	cudaGetSymbolAddress((void **)&address, table);
	fill<<<1, 64>>>(address);
	cudaDeviceSynchronize();
	cudaFree(address); // check: wrong-free
	puts("done");
	return 0;
}
