// SPDX-License-Identifier: Apache-2.0
// -1 % n is -1, and no index of a ring.
#include <cstdio>

struct ring {
	float *cells;
	int count;
};

__device__ float left_of(const ring &r, int i)
{
	return r.cells[(i - 1) % r.count]; // check: before-begin
}

__global__ void shift(ring from, ring to)
{
	int i = threadIdx.x;

	if (i < to.count)
		to.cells[i] = left_of(from, i);
}

int main()
{
	ring from = {nullptr, 100}, to = {nullptr, 100};

	cudaMalloc(&from.cells, 100 * sizeof(float));
	cudaMalloc(&to.cells, 100 * sizeof(float));
	cudaMemset(from.cells, 0, 100 * sizeof(float));
	shift<<<1, 128>>>(from, to);
	cudaDeviceSynchronize();
	cudaFree(from.cells);
	cudaFree(to.cells);
	puts("done");
	return 0;
}
