// SPDX-License-Identifier: Apache-2.0
// One row more than the target has is copied.
#include <cstdio>

int main()
{
	const int width = 40, height = 10;
	static float host[height + 1][width];
	size_t pitch;
	float *device;

	cudaMallocPitch((void **)&device, &pitch, width * sizeof(float), height);
	// check: copy-out-of-bounds
	cudaMemcpy2D(device, pitch, host, sizeof(host[0]), sizeof(host[0]), height + 1,
		     cudaMemcpyHostToDevice);
	cudaFree(device);
	puts("done");
	return 0;
}
