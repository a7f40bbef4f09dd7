// SPDX-License-Identifier: Apache-2.0
// Coefficients in constant memory: the last one is beyond the array.
#include <cstdio>

__constant__ float coefficients[8];

__global__ void polynomial(const float *x, float *y, int n, int degree)
{
	int i = threadIdx.x;
	float sum = 0;

	if (i >= n)
		return;
	for (int k = degree; k >= 0; k--)
		sum = sum * x[i] + coefficients[k]; // check: none yet, out-of-bounds
	y[i] = sum;
}

int main()
{
	const int n = 32;
	float host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *x, *y;

	cudaMemcpyToSymbol(coefficients, host, sizeof(host));
	cudaMalloc(&x, n * sizeof(float));
	cudaMalloc(&y, n * sizeof(float));
	cudaMemset(x, 0, n * sizeof(float));
	polynomial<<<1, n>>>(x, y, n, 8);
	cudaDeviceSynchronize();
	cudaFree(x);
	cudaFree(y);
	puts("done");
	return 0;
}
