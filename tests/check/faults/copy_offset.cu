// SPDX-License-Identifier: Apache-2.0
// The second half of an array is to be copied, and so many bytes as the whole has.
#include <cstdio>

__global__ void fill(int *x)
{
	x[threadIdx.x] = 1;
}

int main()
{
	int host[128] = {}, *device;

	cudaMalloc(&device, 128 * sizeof(int));
	fill<<<1, 128>>>(device);
	// check: copy-out-of-bounds
	cudaMemcpy(host, device + 64, 128 * sizeof(int), cudaMemcpyDeviceToHost);
	cudaFree(device);
	puts("done");
	return 0;
}
