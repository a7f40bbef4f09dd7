// SPDX-License-Identifier: Apache-2.0
// A copy on the device into a shorter array.
#include <cstdio>

int main()
{
	float *from, *to;
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	cudaMalloc(&from, 400 * sizeof(float));
	cudaMalloc(&to, 200 * sizeof(float));
	cudaMemset(from, 0, 400 * sizeof(float));
	// check: copy-out-of-bounds
	cudaMemcpyAsync(to, from, 400 * sizeof(float), cudaMemcpyDeviceToDevice, stream);
	cudaStreamSynchronize(stream);
	cudaStreamDestroy(stream);
	cudaFree(from);
	cudaFree(to);
	puts("done");
	return 0;
}
