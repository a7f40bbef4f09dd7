// SPDX-License-Identifier: Apache-2.0
// The host clears a pinned buffer right after the copy from it was asked for.
#include <cstdio>
#include <cstring>

int main()
{
	char *pinned, *device;

	cudaMallocHost((void **)&pinned, 8192);
	cudaMalloc(&device, 8192);
	memset(pinned, 1, 8192);
	cudaMemcpyAsync(device, pinned, 8192, cudaMemcpyHostToDevice);
	memset(pinned, 0, 8192); // check: pinned-in-flight
	cudaDeviceSynchronize();
	cudaFree(device);
	cudaFreeHost(pinned);
	puts("done");
	return 0;
}
