// SPDX-License-Identifier: Apache-2.0
// -1 stands for "not found", and is used as an index all the same.
#include <cstdio>

__global__ void find(const int *keys, int count, const int *wanted, int *at)
{
	int i = threadIdx.x, found = -1;

	for (int k = 0; k < count; k++)
		if (keys[k] == wanted[i])
			found = k;
	at[i] = found;
}

__global__ void use(const int *at, int *uses)
{
	int i = threadIdx.x;

	atomicAdd(&uses[at[i]], 1); // check: before-begin
}

int main()
{
	const int count = 16, n = 32;
	int host[n], *keys, *wanted, *at, *uses;

	for (int i = 0; i < n; i++)
		host[i] = i;
	cudaMalloc(&keys, count * sizeof(int));
	cudaMemcpy(keys, host, count * sizeof(int), cudaMemcpyHostToDevice);
	cudaMalloc(&wanted, n * sizeof(int));
	cudaMemcpy(wanted, host, n * sizeof(int), cudaMemcpyHostToDevice);
	cudaMalloc(&at, n * sizeof(int));
	cudaMalloc(&uses, count * sizeof(int));
	cudaMemset(uses, 0, count * sizeof(int));
	find<<<1, n>>>(keys, count, wanted, at);
	use<<<1, n>>>(at, uses);
	cudaDeviceSynchronize();
	cudaFree(keys);
	cudaFree(wanted);
	cudaFree(at);
	cudaFree(uses);
	puts("done");
	return 0;
}
