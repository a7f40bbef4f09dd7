// SPDX-License-Identifier: Apache-2.0
// Thread blocks append to a list, and its length is no atomic variable.
#include <cstdio>

struct list {
	int *items;
	int *count;
};

__device__ int reserve(list l)
{
	return (*l.count)++; // check: race
}

__global__ void append(list l, int most)
{
	if (threadIdx.x == 0) {
		int at = reserve(l);

		if (at < most)
			atomicExch(&l.items[at], (int)blockIdx.x);
	}
}

int main()
{
	list l;

	cudaMalloc(&l.items, 64 * sizeof(int));
	cudaMalloc(&l.count, sizeof(int));
	cudaMemset(l.count, 0, sizeof(int));
	cudaMemset(l.items, 0, 64 * sizeof(int));
	append<<<16, 32>>>(l, 64);
	cudaDeviceSynchronize();
	cudaFree(l.items);
	cudaFree(l.count);
	puts("done");
	return 0;
}
