// SPDX-License-Identifier: Apache-2.0
// A kernel writes to mapped host memory that cudaFreeHost has given back.
#include <cstdio>

__global__ void post(volatile int *box)
{
	box[threadIdx.x] = 1; // check: use-after-free
}

int main()
{
	int *host, *device;

	cudaHostAlloc((void **)&host, 4096, cudaHostAllocMapped);
	cudaHostGetDevicePointer((void **)&device, host, 0);
	cudaFreeHost(host);
	post<<<1, 32>>>(device);
	cudaDeviceSynchronize();
	puts("done");
	return 0;
}
