// SPDX-License-Identifier: Apache-2.0
// The sum of all blocks in one variable, by an ordinary addition.
#include <cstdio>

__device__ float sum;

__global__ void reduce(const float *in)
{
	float mine = in[blockIdx.x * 32 + threadIdx.x];

	for (int lanes = 16; lanes; lanes /= 2)
		mine += __shfl_down_sync(~0u, mine, lanes);
	if (threadIdx.x == 0)
		sum += mine; // check: race
}

int main()
{
	float *in;

	cudaMalloc(&in, 8 * 32 * sizeof(float));
	cudaMemset(in, 0, 8 * 32 * sizeof(float));
	reduce<<<8, 32>>>(in);
	cudaDeviceSynchronize();
	cudaFree(in);
	puts("done");
	return 0;
}
