// SPDX-License-Identifier: Apache-2.0
// A sparse matrix whose row pointers lack the last one: n are copied, n + 1 are read.
#include <cstdio>

__global__ void row_sums(const int *rows, const float *values, float *out, int n)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (row >= n)
		return;
	int end = min(rows[row + 1], 2 * n); // check: out-of-bounds
	for (int i = rows[row]; i < end; i++)
		sum += values[i];
	out[row] = sum;
}

int main()
{
	const int n = 48;
	int hosted[n + 1], *rows;
	float *values, *out;

	for (int i = 0; i <= n; i++)
		hosted[i] = 2 * i;
	cudaMalloc(&rows, n * sizeof(int));
	cudaMemcpy(rows, hosted, n * sizeof(int), cudaMemcpyHostToDevice);
	cudaMalloc(&values, 2 * n * sizeof(float));
	cudaMemset(values, 0, 2 * n * sizeof(float));
	cudaMalloc(&out, n * sizeof(float));
	row_sums<<<1, 64>>>(rows, values, out, n);
	cudaDeviceSynchronize();
	cudaFree(rows);
	cudaFree(values);
	cudaFree(out);
	puts("done");
	return 0;
}
