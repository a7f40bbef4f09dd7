// SPDX-License-Identifier: Apache-2.0
// Pointers behind the last element are compared, and not read.
#include <cstdio>

__device__ const int *lower_bound(const int *begin, const int *end, int value)
{
	while (begin < end) {
		const int *middle = begin + (end - begin) / 2;

		if (*middle < value)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

__global__ void positions(const int *sorted, int n, int *out)
{
	out[threadIdx.x] = lower_bound(sorted, sorted + n, 3 * threadIdx.x) - sorted;
}

int main()
{
	const int n = 50;
	int host[n], *sorted, *out;

	for (int i = 0; i < n; i++)
		host[i] = 2 * i;
	cudaMalloc(&sorted, sizeof(host));
	cudaMalloc(&out, 64 * sizeof(int));
	cudaMemcpy(sorted, host, sizeof(host), cudaMemcpyHostToDevice);
	positions<<<1, 64>>>(sorted, n, out);
	cudaDeviceSynchronize();
	cudaFree(sorted);
	cudaFree(out);
	puts("done");
	return 0;
}
