// SPDX-License-Identifier: Apache-2.0
// More is copied to a variable in constant memory than it holds.
#include <cstdio>

__constant__ float weights[16];

__global__ void first(float *out)
{
	out[0] = weights[0];
}

int main()
{
	float host[32] = {}, *out;

	cudaMalloc(&out, sizeof(float));
	cudaMemcpyToSymbol(weights, host, sizeof(host)); // check: none yet, copy-out-of-bounds
	first<<<1, 1>>>(out);
	cudaDeviceSynchronize();
	cudaFree(out);
	puts("done");
	return 0;
}
