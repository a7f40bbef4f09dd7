// SPDX-License-Identifier: Apache-2.0
// Managed memory is read while the kernel that writes it may run.
#include <cstdio>

__global__ void square(int *x)
{
	x[threadIdx.x] *= x[threadIdx.x];
}

int main()
{
	int *x, least = 0;

	cudaMallocManaged(&x, 64 * sizeof(int));
	for (int i = 0; i < 64; i++)
		x[i] = i;
	square<<<1, 64>>>(x);
	for (int i = 0; i < 64; i++)
		least = x[i] < least ? x[i] : least; // check: none yet, result-before-wait
	cudaDeviceSynchronize();
	printf("%d\n", least);
	cudaFree(x);
	return 0;
}
