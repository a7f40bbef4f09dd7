// SPDX-License-Identifier: Apache-2.0
// Neighbouring blocks compute their common elements both, with the same result.
#include <cstdio>

__global__ void ramp(int *out, int n)
{
	int i = blockIdx.x * (blockDim.x - 4) + threadIdx.x;

	if (i < n)
		out[i] = 3 * i;
}

int main()
{
	const int n = 200;
	int *out;

	cudaMalloc(&out, n * sizeof(int));
	ramp<<<4, 64>>>(out, n);
	cudaDeviceSynchronize();
	cudaFree(out);
	puts("done");
	return 0;
}
