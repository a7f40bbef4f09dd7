// SPDX-License-Identifier: Apache-2.0
// A kernel writes its results beyond the end of mapped host memory.
#include <cstdio>

__global__ void report(int *out, int n)
{
	int i = threadIdx.x;

	if (i < n)
		out[i] = 2 * i; // check: out-of-bounds
}

int main()
{
	int *host, *device;

	cudaHostAlloc(&host, 48 * sizeof(int), cudaHostAllocMapped);
	cudaHostGetDevicePointer((void **)&device, host, 0);
	report<<<1, 64>>>(device, 50);
	cudaDeviceSynchronize();
	printf("%d\n", host[47]);
	cudaFreeHost(host);
	return 0;
}
