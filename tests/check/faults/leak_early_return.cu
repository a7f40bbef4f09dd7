// SPDX-License-Identifier: Apache-2.0
// On one of its ways a function returns without freeing what it has allocated.
#include <cstdio>

__global__ void sum(const int *in, int n, int *out)
{
	int total = 0;

	for (int i = 0; i < n; i++)
		total += in[i];
	*out = total;
}

static int sum_of(const int *in, int n)
{
	int *out, total;

	cudaMalloc(&out, sizeof(int)); // check: leak
	sum<<<1, 1>>>(in, n, out);
	cudaMemcpy(&total, out, sizeof(int), cudaMemcpyDeviceToHost);
	if (!total)
		return -1;
	cudaFree(out);
	return total;
}

int main()
{
	int *in;

	cudaMalloc(&in, 16 * sizeof(int));
	cudaMemset(in, 0, 16 * sizeof(int));
	printf("%d\n", sum_of(in, 16));
	cudaMemset(in, 1, 16 * sizeof(int));
	printf("%d\n", sum_of(in, 16));
	cudaFree(in);
	return 0;
}
