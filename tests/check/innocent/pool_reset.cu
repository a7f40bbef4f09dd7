// SPDX-License-Identifier: Apache-2.0
// The pool of a program is reset in each step; each step writes before it reads.
#include <cstdio>

__global__ void produce(float *x, int n, int step)
{
	if (threadIdx.x < n)
		x[threadIdx.x] = step + threadIdx.x;
}

__global__ void consume(const float *x, double *y, int n)
{
	if (threadIdx.x < n)
		y[threadIdx.x] = 2.0 * x[threadIdx.x];
}

int main()
{
	char *pool;

	cudaMalloc(&pool, 4096);
	for (int step = 0; step < 3; step++) {
		int n = 40 + 10 * step;
		float *x = (float *)pool;
		double *y = (double *)(pool + (n * sizeof(float) + 15) / 16 * 16);

		produce<<<1, 64>>>(x, n, step);
		consume<<<1, 64>>>(x, y, n);
	}
	cudaDeviceSynchronize();
	cudaFree(pool);
	puts("done");
	return 0;
}
