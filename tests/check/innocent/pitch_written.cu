// SPDX-License-Identifier: Apache-2.0
// Each row is written in units of 16 bytes, the last of which reaches into the padding.
#include <cstdio>

__global__ void clear(float *rows, size_t pitch, int width)
{
	float4 *row = (float4 *)((char *)rows + blockIdx.x * pitch);

	for (int i = threadIdx.x; i < (width + 3) / 4; i += blockDim.x)
		row[i] = make_float4(0, 0, 0, 0);
}

int main()
{
	const int width = 37, height = 8;
	size_t pitch;
	float *rows;

	cudaMallocPitch((void **)&rows, &pitch, width * sizeof(float), height);
	clear<<<height, 32>>>(rows, pitch, width);
	cudaDeviceSynchronize();
	cudaFree(rows);
	puts("done");
	return 0;
}
