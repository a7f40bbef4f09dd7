// SPDX-License-Identifier: Apache-2.0
// Pinned host memory is not given back.
#include <cstdio>

int main()
{
	int *host, *device;

	cudaHostAlloc((void **)&host, 1024, cudaHostAllocDefault); // check: leak
	cudaMalloc(&device, 1024);
	for (int i = 0; i < 256; i++)
		host[i] = i;
	cudaMemcpy(device, host, 1024, cudaMemcpyHostToDevice);
	cudaFree(device);
	puts("done");
	return 0;
}
