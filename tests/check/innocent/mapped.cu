// SPDX-License-Identifier: Apache-2.0
// Mapped pinned memory: the host fills it, the kernel reads and writes it.
#include <cstdio>

__global__ void twice(int *x, int n)
{
	int i = threadIdx.x;

	if (i < n)
		x[i] *= 2;
}

int main()
{
	const int n = 100;
	int *host, *device;

	cudaHostAlloc((void **)&host, n * sizeof(int), cudaHostAllocMapped);
	for (int i = 0; i < n; i++)
		host[i] = i;
	cudaHostGetDevicePointer((void **)&device, host, 0);
	twice<<<1, 128>>>(device, n);
	cudaDeviceSynchronize();
	printf("%d\n", host[7]);
	cudaFreeHost(host);
	return 0;
}
