// SPDX-License-Identifier: Apache-2.0
// Threads append to a list through an atomic counter, and the list is read up to it.
#include <cstdio>

__global__ void select_multiples(int n, int *list, int *count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n && i % 5 == 0)
		list[atomicAdd(count, 1)] = i;
}

__global__ void sum(const int *list, const int *count, int *out)
{
	for (int i = threadIdx.x; i < *count; i += blockDim.x)
		atomicAdd(out, list[i]);
}

int main()
{
	const int n = 300;
	int *list, *count, *out;

	cudaMalloc(&list, n * sizeof(int));
	cudaMalloc(&count, sizeof(int));
	cudaMalloc(&out, sizeof(int));
	cudaMemset(count, 0, sizeof(int));
	cudaMemset(out, 0, sizeof(int));
	select_multiples<<<3, 100>>>(n, list, count);
	sum<<<1, 32>>>(list, count, out);
	cudaDeviceSynchronize();
	cudaFree(list);
	cudaFree(count);
	cudaFree(out);
	puts("done");
	return 0;
}
