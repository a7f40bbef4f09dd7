// SPDX-License-Identifier: Apache-2.0
// The pinned buffer that results are copied to is shorter than they are.
#include <cstdio>

int main()
{
	char *host, *device;

	cudaMallocHost(&host, 1000);
	cudaMalloc(&device, 2000);
	cudaMemset(device, 0, 2000);
	cudaMemcpy(host, device, 2000, cudaMemcpyDeviceToHost); // check: copy-out-of-bounds
	cudaFreeHost(host);
	cudaFree(device);
	puts("done");
	return 0;
}
