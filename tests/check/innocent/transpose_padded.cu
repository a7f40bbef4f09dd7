// SPDX-License-Identifier: Apache-2.0
// A tile with a column more than it needs, which is not used.
#include <cstdio>

#define TILE 16

__global__ void transpose(const float *in, float *out, int width, int height)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	if (x < width && y < height)
		tile[threadIdx.y][threadIdx.x] = in[y * width + x];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	if (x < height && y < width)
		out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

int main()
{
	const int width = 40, height = 24;
	float *in, *out;

	cudaMalloc(&in, width * height * sizeof(float));
	cudaMalloc(&out, width * height * sizeof(float));
	cudaMemset(in, 0, width * height * sizeof(float));
	transpose<<<dim3(3, 2), dim3(TILE, TILE)>>>(in, out, width, height);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
