// SPDX-License-Identifier: Apache-2.0
// cudaFree() waits for the kernel that still uses the memory.
#include <cstdio>

__global__ void rounds(int *x, int count)
{
	for (int i = 0; i < count; i++)
		x[threadIdx.x] = i;
}

int main()
{
	int *x;

	cudaMalloc(&x, 64 * sizeof(int));
	rounds<<<1, 64>>>(x, 50);
	cudaFree(x);
	puts("done");
	return 0;
}
