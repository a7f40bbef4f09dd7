// SPDX-License-Identifier: Apache-2.0
// The second barrier of a tiled loop is missing: a tile is overwritten while others still read it.
#include <cstdio>

#define TILE 8

__global__ void multiply(const float *a, const float *b, float *c, int n)
{
	__shared__ float left[TILE][TILE], right[TILE][TILE];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	float sum = 0;

	for (int t = 0; t < n; t += TILE) {
		// check: shared-race
		left[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
		// check: shared-race
		right[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += left[threadIdx.y][k] * right[k][threadIdx.x];
	}
	c[y * n + x] = sum;
}

int main()
{
	const int n = 2 * TILE;
	float host[n * n], *a, *b, *c;

	for (int i = 0; i < n * n; i++)
		host[i] = i;
	cudaMalloc(&a, sizeof(host));
	cudaMalloc(&b, sizeof(host));
	cudaMalloc(&c, sizeof(host));
	cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(b, host, sizeof(host), cudaMemcpyHostToDevice);
	multiply<<<dim3(2, 2), dim3(TILE, TILE)>>>(a, b, c, n);
	cudaDeviceSynchronize();
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	puts("done");
	return 0;
}
