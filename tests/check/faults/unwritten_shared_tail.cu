// SPDX-License-Identifier: Apache-2.0
// In the last thread block a part of the tile is not filled, and all of it is summed up.
#include <cstdio>

__global__ void sums(const int *in, int *out, int n)
{
	__shared__ int tile[64];
	int i = blockIdx.x * 64 + threadIdx.x;

	if (i < n)
		tile[threadIdx.x] = in[i];
	__syncthreads();
	if (threadIdx.x == 0) {
		int sum = 0;

		for (int k = 0; k < 64; k++)
			sum += tile[k]; // check: uninitialized-shared
		out[blockIdx.x] = sum;
	}
}

int main()
{
	const int n = 150;
	int *in, *out;

	cudaMalloc(&in, n * sizeof(int));
	cudaMalloc(&out, 3 * sizeof(int));
	cudaMemset(in, 0, n * sizeof(int));
	sums<<<3, 64>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
