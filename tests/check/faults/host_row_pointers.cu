// SPDX-License-Identifier: Apache-2.0
// The array of row pointers stayed on the host; the rows themselves are on the device.
#include <cstdio>

__global__ void zero(float **rows, int width)
{
	float *row = rows[blockIdx.x]; // check: host-memory

	if (threadIdx.x < width)
		row[threadIdx.x] = 0;
}

int main()
{
	const int height = 6, width = 32;
	float **rows = new float *[height];

	for (int y = 0; y < height; y++)
		cudaMalloc(&rows[y], width * sizeof(float));
	zero<<<height, width>>>(rows, width);
	cudaDeviceSynchronize();
	for (int y = 0; y < height; y++)
		cudaFree(rows[y]);
	delete[] rows;
	puts("done");
	return 0;
}
