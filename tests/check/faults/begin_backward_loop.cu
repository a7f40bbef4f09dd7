// SPDX-License-Identifier: Apache-2.0
// A loop from the end to the begin does one step too many.
#include <cstdio>

__global__ void backward_sums(int *data, int n)
{
	int *last = data + n - 1, sum = 0;

	for (int *p = last; p >= data - 1; p--) {
		sum += *p; // check: before-begin
		*last = sum;
	}
}

int main()
{
	const int n = 40;
	int *data;

	cudaMalloc(&data, n * sizeof(int));
	cudaMemset(data, 0, n * sizeof(int));
	backward_sums<<<1, 1>>>(data, n);
	cudaDeviceSynchronize();
	cudaFree(data);
	puts("done");
	return 0;
}
