// SPDX-License-Identifier: Apache-2.0
// cudaMemset2D clears as many bytes of each row as it has elements.
#include <cstdio>

__global__ void count(int *grid, size_t pitch, int width)
{
	int *row = (int *)((char *)grid + blockIdx.x * pitch);

	if (threadIdx.x < width)
		row[threadIdx.x]++; // check: uninitialized-read
}

int main()
{
	const int width = 48, height = 6;
	size_t pitch;
	int *grid;

	cudaMallocPitch((void **)&grid, &pitch, width * sizeof(int), height);
	cudaMemset2D(grid, pitch, 0, width, height);
	count<<<height, 64>>>(grid, pitch, width);
	cudaDeviceSynchronize();
	cudaFree(grid);
	puts("done");
	return 0;
}
