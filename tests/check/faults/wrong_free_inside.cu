// SPDX-License-Identifier: Apache-2.0
// The pointer that is freed was moved since it was allocated.
#include <cstdio>

__global__ void fill(char *x)
{
	x[threadIdx.x] = 1;
}

int main()
{
	char *x;

	cudaMalloc(&x, 512);
	x += 256;
	fill<<<1, 64>>>(x);
	cudaDeviceSynchronize();
	cudaFree(x); // check: wrong-free
	puts("done");
	return 0;
}
