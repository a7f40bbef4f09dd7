// SPDX-License-Identifier: Apache-2.0
// Memory of a pool is given out anew: what the last user wrote there is not this one's.
#include <cstdio>

__global__ void write(int *data)
{
	data[threadIdx.x] = threadIdx.x;
}

__global__ void read(const int *data, int *out)
{
	out[threadIdx.x] = data[threadIdx.x]; // check: uninitialized-read
}

int main()
{
	cudaStream_t stream;
	int *first, *second, *out;

	cudaStreamCreate(&stream);
	cudaMalloc(&out, 64 * sizeof(int));
	cudaMallocAsync((void **)&first, 64 * sizeof(int), stream);
	write<<<1, 64, 0, stream>>>(first);
	cudaFreeAsync(first, stream);
	cudaMallocAsync((void **)&second, 64 * sizeof(int), stream);
	read<<<1, 64, 0, stream>>>(second, out);
	cudaFreeAsync(second, stream);
	cudaStreamSynchronize(stream);
	cudaStreamDestroy(stream);
	cudaFree(out);
	puts("done");
	return 0;
}
