// SPDX-License-Identifier: Apache-2.0
// memset of more bytes than were allocated.
#include <cstdio>

int main()
{
	double *device;

	cudaMalloc(&device, 100 * sizeof(float));
	cudaMemset(device, 0, 100 * sizeof(double)); // check: copy-out-of-bounds
	cudaFree(device);
	puts("done");
	return 0;
}
