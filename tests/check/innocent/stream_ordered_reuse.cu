// SPDX-License-Identifier: Apache-2.0
// Memory of a pool is given out, used, given back and given out again.
#include <cstdio>

__global__ void fill(int *x, int value)
{
	x[threadIdx.x] = value;
}

__global__ void add(const int *x, int *sum)
{
	atomicAdd(sum, x[threadIdx.x]);
}

int main()
{
	cudaStream_t stream;
	int *sum, *x;

	cudaStreamCreate(&stream);
	cudaMallocAsync((void **)&sum, sizeof(int), stream);
	cudaMemsetAsync(sum, 0, sizeof(int), stream);
	for (int step = 0; step < 4; step++) {
		cudaMallocAsync((void **)&x, 64 * sizeof(int), stream);
		fill<<<1, 64, 0, stream>>>(x, step);
		add<<<1, 64, 0, stream>>>(x, sum);
		cudaFreeAsync(x, stream);
	}
	cudaFreeAsync(sum, stream);
	cudaStreamSynchronize(stream);
	cudaStreamDestroy(stream);
	puts("done");
	return 0;
}
