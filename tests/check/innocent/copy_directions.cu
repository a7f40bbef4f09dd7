// SPDX-License-Identifier: Apache-2.0
// Directions that are left to the addresses, and copies of the host alone.
#include <cstdio>

__global__ void increment(int *x)
{
	x[threadIdx.x]++;
}

int main()
{
	int host[64] = {}, other[64], *device, *managed;

	cudaMalloc(&device, sizeof(host));
	cudaMallocManaged(&managed, sizeof(host));
	cudaMemcpy(device, host, sizeof(host), cudaMemcpyDefault);
	increment<<<1, 64>>>(device);
	cudaMemcpy(managed, device, sizeof(host), cudaMemcpyDeviceToHost);
	cudaMemcpy(device, managed, sizeof(host), cudaMemcpyHostToDevice);
	increment<<<1, 64>>>(device);
	cudaMemcpy(host, device, sizeof(host), cudaMemcpyDefault);
	cudaMemcpy(other, host, sizeof(host), cudaMemcpyHostToHost);
	printf("%d\n", other[9]);
	cudaFree(device);
	cudaFree(managed);
	return 0;
}
