// SPDX-License-Identifier: Apache-2.0
// Each step allocates, and only the last allocation is freed.
#include <cstdio>

__global__ void fill(float *x, float value)
{
	x[threadIdx.x] = value;
}

int main()
{
	float *scratch = nullptr;

	for (int step = 0; step < 5; step++) {
		cudaMalloc((void **)&scratch, 128 * sizeof(float)); // check: leak
		fill<<<1, 128>>>(scratch, step);
	}
	cudaDeviceSynchronize();
	cudaFree(scratch);
	puts("done");
	return 0;
}
