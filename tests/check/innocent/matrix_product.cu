// SPDX-License-Identifier: Apache-2.0
// A tiled product of matrices that tiles do not divide: what lies beyond is filled with zeros.
#include <cstdio>

#define TILE 8

__global__ void multiply(const float *a, const float *b, float *c, int n)
{
	__shared__ float left[TILE][TILE], right[TILE][TILE];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	float sum = 0;

	for (int t = 0; t < n; t += TILE) {
		bool in_a = y < n && t + (int)threadIdx.x < n,
		     in_b = t + (int)threadIdx.y < n && x < n;

		left[threadIdx.y][threadIdx.x] = in_a ? a[y * n + t + threadIdx.x] : 0;
		right[threadIdx.y][threadIdx.x] = in_b ? b[(t + threadIdx.y) * n + x] : 0;
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += left[threadIdx.y][k] * right[k][threadIdx.x];
		__syncthreads();
	}
	if (x < n && y < n)
		c[y * n + x] = sum;
}

int main()
{
	const int n = 19;
	float host[n * n] = {}, *a, *b, *c;

	cudaMalloc(&a, sizeof(host));
	cudaMalloc(&b, sizeof(host));
	cudaMalloc(&c, sizeof(host));
	cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(b, host, sizeof(host), cudaMemcpyHostToDevice);
	multiply<<<dim3(3, 3), dim3(TILE, TILE)>>>(a, b, c, n);
	cudaDeviceSynchronize();
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	puts("done");
	return 0;
}
