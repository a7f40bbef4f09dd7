// SPDX-License-Identifier: Apache-2.0
// A product of matrices. Each thread loads a row and a column from global memory; -DFIX_TILES: a
// thread block loads tiles of them into shared memory.
#include "fixes.h"

#define TILE 16

#ifndef FIX_TILES
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
	int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + column];
	c[row * n + column] = sum;
}
#else
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
	__shared__ float rows[TILE][TILE], columns[TILE][TILE];
	int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
	float sum = 0;

	for (int first = 0; first < n; first += TILE) {
		rows[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
		columns[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += rows[threadIdx.y][k] * columns[k][threadIdx.x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}
#endif

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 64, rounds = argc > 2 ? atoi(argv[2]) : 2;
	std::vector<float> host(n * n);
	float *a, *b, *c;

	n = n / TILE * TILE;
	for (int i = 0; i < n * n; i++)
		host[i] = i * 2654435761u % 1021 * 0.001f;
	CHECK(cudaMalloc(&a, n * n * sizeof(float)));
	CHECK(cudaMalloc(&b, n * n * sizeof(float)));
	CHECK(cudaMalloc(&c, n * n * sizeof(float)));
	CHECK(cudaMemcpy(a, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(b, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
	began();
	for (int i = 0; i < rounds; i++)
		multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n);
	CHECK(cudaMemcpy(host.data(), c, n * n * sizeof(float), cudaMemcpyDeviceToHost));
	ended();
	printf("%.5g\n", host[n + 1]);
	return 0;
}
