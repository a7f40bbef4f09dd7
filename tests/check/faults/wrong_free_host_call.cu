// SPDX-License-Identifier: Apache-2.0
// cudaFreeHost of memory of the device.
#include <cstdio>

int main()
{
	int *device;

	cudaMalloc(&device, 4096);
	cudaMemset(device, 0, 4096);
	cudaFreeHost(device); // check: wrong-free
	puts("done");
	return 0;
}
