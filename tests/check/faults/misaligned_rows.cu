// SPDX-License-Identifier: Apache-2.0
// Rows of an odd length: every other one begins between two int2. On CPU threads that works.
#include <cstdio>

__global__ void copy_rows(const int *in, int2 *out, int width)
{
	const int *row = in + blockIdx.x * width;

	if (threadIdx.x < width / 2)
		// check: misaligned
		out[blockIdx.x * (width / 2) + threadIdx.x] = ((const int2 *)row)[threadIdx.x];
}

int main()
{
	const int width = 33, height = 4;
	int *in;
	int2 *out;

	cudaMalloc(&in, width * height * sizeof(int));
	cudaMemset(in, 0, width * height * sizeof(int));
	cudaMalloc(&out, width / 2 * height * sizeof(int2));
	copy_rows<<<height, 32>>>(in, out, width);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
