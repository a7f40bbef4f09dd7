// SPDX-License-Identifier: Apache-2.0
// One of two stream-ordered allocations is freed.
#include <cstdio>

__global__ void fill(int *x)
{
	x[threadIdx.x] = 1;
}

int main()
{
	cudaStream_t stream;
	int *a, *b;

	cudaStreamCreate(&stream);
	cudaMallocAsync((void **)&a, 256, stream);
	cudaMallocAsync((void **)&b, 256, stream); // check: leak
	fill<<<1, 64, 0, stream>>>(a);
	fill<<<1, 64, 0, stream>>>(b);
	cudaFreeAsync(a, stream);
	cudaStreamSynchronize(stream);
	cudaStreamDestroy(stream);
	puts("done");
	return 0;
}
