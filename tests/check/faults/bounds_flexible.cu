// SPDX-License-Identifier: Apache-2.0
// A structure that ends in an array of any length, allocated for one element less.
#include <cstdio>

struct list {
	int count;
	int items[];
};

__global__ void fill(list *l)
{
	for (int i = threadIdx.x; i < l->count; i += blockDim.x)
		l->items[i] = i; // check: out-of-bounds
}

int main()
{
	list *l;
	int count = 64;

	cudaMalloc(&l, sizeof(list) + (count - 1) * sizeof(int));
	cudaMemcpy(&l->count, &count, sizeof(count), cudaMemcpyHostToDevice);
	fill<<<1, 32>>>(l);
	cudaDeviceSynchronize();
	cudaFree(l);
	puts("done");
	return 0;
}
