// SPDX-License-Identifier: Apache-2.0
// A memory pool of the program's own.
#include <cstdio>

__global__ void fill(short *x)
{
	x[threadIdx.x] = 5;
}

int main()
{
	cudaMemPoolProps properties = {};
	cudaMemPool_t pool;
	cudaStream_t stream;
	short *x;

	properties.allocType = cudaMemAllocationTypePinned;
	properties.location.type = cudaMemLocationTypeDevice;
	properties.location.id = 0;
	cudaMemPoolCreate(&pool, &properties);
	cudaStreamCreate(&stream);
	cudaMallocFromPoolAsync((void **)&x, 64 * sizeof(short), pool, stream);
	fill<<<1, 64, 0, stream>>>(x);
	cudaFreeAsync(x, stream);
	cudaStreamSynchronize(stream);
	cudaStreamDestroy(stream);
	cudaMemPoolDestroy(pool);
	puts("done");
	return 0;
}
