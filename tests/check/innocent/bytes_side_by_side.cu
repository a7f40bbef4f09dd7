// SPDX-License-Identifier: Apache-2.0
// Threads of different blocks store neighbouring bytes of one word.
#include <cstdio>

__global__ void interleave(char *out)
{
	out[threadIdx.x * gridDim.x + blockIdx.x] = (char)blockIdx.x;
}

int main()
{
	char *out;

	cudaMalloc(&out, 4 * 64);
	interleave<<<4, 64>>>(out);
	cudaDeviceSynchronize();
	cudaFree(out);
	puts("done");
	return 0;
}
