// SPDX-License-Identifier: Apache-2.0
// The upper triangle is computed, the whole matrix is used.
#include <cstdio>

__global__ void upper(float *m, int n)
{
	int row = blockIdx.x, column = threadIdx.x;

	if (column >= row)
		m[row * n + column] = row + column;
}

__global__ void multiply(const float *m, const float *x, float *y, int n)
{
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += m[threadIdx.x * n + k] * x[k]; // check: uninitialized-read
	y[threadIdx.x] = sum;
}

int main()
{
	const int n = 32;
	float *m, *x, *y;

	cudaMalloc(&m, n * n * sizeof(float));
	cudaMalloc(&x, n * sizeof(float));
	cudaMalloc(&y, n * sizeof(float));
	cudaMemset(x, 0, n * sizeof(float));
	upper<<<n, n>>>(m, n);
	multiply<<<1, n>>>(m, x, y, n);
	cudaDeviceSynchronize();
	cudaFree(m);
	cudaFree(x);
	cudaFree(y);
	puts("done");
	return 0;
}
