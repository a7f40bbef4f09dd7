// SPDX-License-Identifier: Apache-2.0
// A list of eight neighbours in local memory; the ninth one is stored beyond it.
#include <cstdio>

__global__ void neighbours(const int *linked, int *count, int n)
{
	int list[8], length = 0, sum = 0;

	for (int c = 0; c < n; c++)
		if (linked[threadIdx.x * n + c])
			list[length++] = c; // check: local-out-of-bounds
	for (int i = 0; i < min(length, 8); i++)
		sum += list[i];
	count[threadIdx.x] = sum;
}

int main()
{
	const int n = 12;
	int host[n * n] = {}, *linked, *count;

	for (int c = 1; c < 10; c++)
		host[c] = 1;
	cudaMalloc(&linked, sizeof(host));
	cudaMemcpy(linked, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMalloc(&count, n * sizeof(int));
	neighbours<<<1, n>>>(linked, count, n);
	cudaDeviceSynchronize();
	cudaFree(linked);
	cudaFree(count);
	puts("done");
	return 0;
}
