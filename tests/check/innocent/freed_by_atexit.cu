// SPDX-License-Identifier: Apache-2.0
// A function of atexit() frees what main() has allocated.
#include <cstdio>
#include <cstdlib>

static int *table;

static void clean_up()
{
	cudaFree(table);
}

__global__ void fill(int *x)
{
	x[threadIdx.x] = threadIdx.x;
}

int main()
{
	cudaMalloc(&table, 128 * sizeof(int));
	atexit(clean_up);
	fill<<<1, 128>>>(table);
	cudaDeviceSynchronize();
	puts("done");
	exit(0);
}
