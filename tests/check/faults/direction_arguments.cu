// SPDX-License-Identifier: Apache-2.0
// Target and source are exchanged: memcpy() has them in this order as well, and this was not it.
#include <cstdio>
#include <vector>

static void upload(std::vector<int> &host, int *device)
{
	// check: copy-direction
	cudaMemcpy(host.data(), device, host.size() * sizeof(int), cudaMemcpyHostToDevice);
}

__global__ void read(int *x)
{
	x[threadIdx.x] = 3;
}

int main()
{
	std::vector<int> host(64, 5);
	int *device;

	cudaMalloc(&device, 64 * sizeof(int));
	upload(host, device);
	read<<<1, 64>>>(device);
	cudaDeviceSynchronize();
	cudaFree(device);
	puts("done");
	return 0;
}
