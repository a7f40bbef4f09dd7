// SPDX-License-Identifier: Apache-2.0
// An offset within a pool is used as if it were a pointer.
#include <cstdint>
#include <cstdio>

__global__ void write_at(uint64_t offset, int value)
{
	*(int *)offset = value; // check: no-memory
}

int main()
{
	char *pool;

	cudaMalloc(&pool, 1024);
	write_at<<<1, 1>>>(256, 42);
	printf("%d\n", cudaDeviceSynchronize() != cudaSuccess);
	cudaFree(pool);
	return 0;
}
