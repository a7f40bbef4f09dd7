// SPDX-License-Identifier: Apache-2.0
// cudaFreeAsync and cudaFree of the same memory.
#include <cstdio>

__global__ void fill(int *x)
{
	x[threadIdx.x] = 1;
}

int main()
{
	cudaStream_t stream;
	int *x;

	cudaStreamCreate(&stream);
	cudaMallocAsync((void **)&x, 256, stream);
	fill<<<1, 64, 0, stream>>>(x);
	cudaFreeAsync(x, stream);
	cudaStreamSynchronize(stream);
	cudaFree(x); // check: double-free
	cudaStreamDestroy(stream);
	puts("done");
	return 0;
}
