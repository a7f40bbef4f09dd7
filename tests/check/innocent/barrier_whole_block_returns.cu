// SPDX-License-Identifier: Apache-2.0
// Blocks that have nothing to do return as a whole, before any barrier.
#include <cstdio>

__global__ void sums(const int *in, int *out, int blocks)
{
	__shared__ int tile[32];

	if ((int)blockIdx.x >= blocks)
		return;
	tile[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
	__syncthreads();
	if (threadIdx.x == 0) {
		int sum = 0;

		for (int k = 0; k < 32; k++)
			sum += tile[k];
		out[blockIdx.x] = sum;
	}
}

int main()
{
	int *in, *out;

	cudaMalloc(&in, 96 * sizeof(int));
	cudaMalloc(&out, 3 * sizeof(int));
	cudaMemset(in, 0, 96 * sizeof(int));
	sums<<<5, 32>>>(in, out, 3);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
