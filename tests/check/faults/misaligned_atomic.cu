// SPDX-License-Identifier: Apache-2.0
// An atomic operation on a counter within a packed structure. On CPU threads that works.
#include <cstdio>

struct __attribute__((packed)) entry {
	short key;
	unsigned count;
};

__global__ void count(entry *entries, int n)
{
	int i = threadIdx.x;

	atomicAdd((unsigned *)((char *)&entries[i % n] + 2), 1u); // check: misaligned
}

int main()
{
	entry *entries;

	cudaMalloc(&entries, 8 * sizeof(entry));
	cudaMemset(entries, 0, 8 * sizeof(entry));
	count<<<1, 32>>>(entries, 8);
	cudaDeviceSynchronize();
	cudaFree(entries);
	puts("done");
	return 0;
}
