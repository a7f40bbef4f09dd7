// SPDX-License-Identifier: Apache-2.0
// The result of an asynchronous copy is printed before anybody has waited for it.
#include <cstdio>

__global__ void fill(int *x)
{
	x[threadIdx.x] = threadIdx.x;
}

int main()
{
	int *pinned, *device;

	cudaMallocHost((void **)&pinned, 4096);
	pinned[5] = 0;
	cudaMalloc(&device, 4096);
	cudaMemset(device, 0, 4096);
	fill<<<1, 64>>>(device);
	cudaMemcpyAsync(pinned, device, 4096, cudaMemcpyDeviceToHost);
	printf("%s\n", pinned[5] >= 0 ? "done" : "?"); // check: result-before-wait
	cudaDeviceSynchronize();
	cudaFree(device);
	cudaFreeHost(pinned);
	return 0;
}
