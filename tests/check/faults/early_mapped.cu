// SPDX-License-Identifier: Apache-2.0
// Mapped host memory is read right behind the launch of the kernel that stores there.
#include <cstdio>

__global__ void count(int *out, int n)
{
	*out = n;
}

int main()
{
	int *host, *device;

	cudaHostAlloc((void **)&host, 4096, cudaHostAllocMapped);
	*host = 0;
	cudaHostGetDevicePointer((void **)&device, host, 0);
	count<<<1, 1>>>(device, 12);
	if (*host > 12) // check: none yet, result-before-wait
		puts("too many");
	cudaDeviceSynchronize();
	cudaFreeHost(host);
	puts("done");
	return 0;
}
