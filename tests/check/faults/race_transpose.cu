// SPDX-License-Identifier: Apache-2.0
// A transposition in place: a block writes tiles that another one has still to read.
#include <cstdio>

#define TILE 8

__global__ void transpose(int *m, int n)
{
	__shared__ int tile[TILE][TILE + 1];
	int x = threadIdx.x, y = threadIdx.y;

	tile[y][x] = m[(blockIdx.y * TILE + y) * n + blockIdx.x * TILE + x];
	__syncthreads();
	m[(blockIdx.x * TILE + y) * n + blockIdx.y * TILE + x] = tile[x][y]; // check: race
}

int main()
{
	const int n = 2 * TILE;
	int host[n * n], *m;

	for (int i = 0; i < n * n; i++)
		host[i] = i;
	cudaMalloc(&m, sizeof(host));
	cudaMemcpy(m, host, sizeof(host), cudaMemcpyHostToDevice);
	transpose<<<dim3(2, 2), dim3(TILE, TILE)>>>(m, n);
	cudaDeviceSynchronize();
	cudaFree(m);
	puts("done");
	return 0;
}
