// SPDX-License-Identifier: Apache-2.0
// The kernel is given memory of malloc, which was to be copied to the device first. On CPU threads
// that works, and on some machines with a GPU as well.
#include <cstdio>
#include <cstdlib>

__global__ void increment(int *data, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i]++; // check: host-memory
}

int main()
{
	const int n = 2048;
	int *host = (int *)calloc(n, sizeof(int)), *device;

	cudaMalloc(&device, n * sizeof(int));
	cudaMemcpy(device, host, n * sizeof(int), cudaMemcpyHostToDevice);
	increment<<<n / 256, 256>>>(host, n);
	cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
	cudaFree(device);
	free(host);
	puts("done");
	return 0;
}
