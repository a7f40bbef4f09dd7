// SPDX-License-Identifier: Apache-2.0
// The halo of the tile is not loaded.
#include <cstdio>

#define T 64

__global__ void stencil(const float *in, float *out)
{
	__shared__ float tile[T + 2];
	int i = blockIdx.x * T + threadIdx.x;

	tile[threadIdx.x + 1] = in[i];
	__syncthreads();
	out[i] = tile[threadIdx.x] + tile[threadIdx.x + 2]; // check: uninitialized-shared
}

int main()
{
	float *in, *out;

	cudaMalloc(&in, 4 * T * sizeof(float));
	cudaMalloc(&out, 4 * T * sizeof(float));
	cudaMemset(in, 0, 4 * T * sizeof(float));
	stencil<<<4, T>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
