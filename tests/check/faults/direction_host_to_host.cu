// SPDX-License-Identifier: Apache-2.0
// Device memory is copied as if it were on the host.
#include <cstdio>

int main()
{
	int host[64] = {1, 2, 3}, *device;

	cudaMalloc(&device, sizeof(host));
	cudaMemcpy(device, host, sizeof(host), cudaMemcpyHostToHost); // check: copy-direction
	cudaFree(device);
	puts("done");
	return 0;
}
