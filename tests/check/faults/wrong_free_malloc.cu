// SPDX-License-Identifier: Apache-2.0
// cudaFree of memory of malloc.
#include <cstdio>
#include <cstdlib>

int main()
{
	int *host = (int *)malloc(10000), *device;

	cudaMalloc(&device, 64);
	cudaMemset(device, 0, 64);
	cudaFree(host); // check: wrong-free
	cudaFree(device);
	free(host);
	puts("done");
	return 0;
}
