// SPDX-License-Identifier: Apache-2.0
// Memory from cudaMallocAsync, in a stream of its own.
#include <cstdio>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t e = (call);                                                            \
		if (e != cudaSuccess)                                                              \
			printf("%s\n", cudaGetErrorString(e));                                     \
	} while (0)

__global__ void mark(short *flags, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		flags[2 * i] = 1; // check: out-of-bounds
}

int main()
{
	const int n = 128;
	cudaStream_t stream;
	short *flags;

	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaMallocAsync((void **)&flags, n * sizeof(short), stream));
	mark<<<2, 64, 0, stream>>>(flags, n);
	CHECK(cudaFreeAsync(flags, stream));
	CHECK(cudaStreamSynchronize(stream));
	CHECK(cudaStreamDestroy(stream));
	puts("done");
	return 0;
}
