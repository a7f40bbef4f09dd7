// SPDX-License-Identifier: Apache-2.0
// A structure is copied, and both copies free its memory.
#include <cstdio>
#include <utility>

struct table {
	int *cells = nullptr;

	explicit table(int n)
	{
		cudaMalloc(&cells, n * sizeof(int));
	}
	~table()
	{
		cudaFree(cells); // check: double-free
	}
};

__global__ void clear(int *cells)
{
	cells[threadIdx.x] = 0;
}

static void reset(table t)
{
	clear<<<1, 64>>>(t.cells);
	cudaDeviceSynchronize();
}

int main()
{
	table t(64);

	reset(t);
	puts("done");
	return 0;
}
