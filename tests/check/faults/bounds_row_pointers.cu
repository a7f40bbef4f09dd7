// SPDX-License-Identifier: Apache-2.0
// Rows behind an array of pointers in device memory; the last one was allocated shorter.
#include <cstdio>

__global__ void set_rows(float **rows, int width)
{
	float *row = rows[blockIdx.x];

	for (int x = threadIdx.x; x < width; x += blockDim.x)
		row[x] = blockIdx.x; // check: out-of-bounds
}

int main()
{
	const int width = 100, height = 4;
	float *host[height], **rows;

	for (int y = 0; y < height; y++)
		cudaMalloc(&host[y], (y < height - 1 ? width : width / 2) * sizeof(float));
	cudaMalloc(&rows, sizeof(host));
	cudaMemcpy(rows, host, sizeof(host), cudaMemcpyHostToDevice);
	set_rows<<<height, 32>>>(rows, width);
	cudaDeviceSynchronize();
	for (int y = 0; y < height; y++)
		cudaFree(host[y]);
	cudaFree(rows);
	puts("done");
	return 0;
}
