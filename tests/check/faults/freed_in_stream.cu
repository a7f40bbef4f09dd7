// SPDX-License-Identifier: Apache-2.0
// cudaFreeAsync comes before the kernel, in the same stream.
#include <cstdio>

__global__ void store(int *out)
{
	out[threadIdx.x] = threadIdx.x; // check: use-after-free
}

int main()
{
	cudaStream_t stream;
	int *out;

	cudaStreamCreate(&stream);
	cudaMallocAsync((void **)&out, 64 * sizeof(int), stream);
	cudaMemsetAsync(out, 0, 64 * sizeof(int), stream);
	cudaFreeAsync(out, stream);
	store<<<1, 64, 0, stream>>>(out);
	cudaStreamSynchronize(stream);
	cudaStreamDestroy(stream);
	puts("done");
	return 0;
}
