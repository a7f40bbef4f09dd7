// SPDX-License-Identifier: Apache-2.0
// The number of bytes is multiplied by the size of the element twice.
#include <cstdio>
#include <vector>

int main()
{
	const int n = 100;
	size_t bytes = n * sizeof(float);
	std::vector<float> host(4 * n);
	float *device;

	cudaMalloc(&device, bytes);
	// check: copy-out-of-bounds
	cudaMemcpy(device, host.data(), bytes * sizeof(float), cudaMemcpyHostToDevice);
	cudaFree(device);
	puts("done");
	return 0;
}
