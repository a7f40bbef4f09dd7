// SPDX-License-Identifier: Apache-2.0
// "This is the last block" is stored by one thread and read by the others at once.
#include <cstdio>

__device__ unsigned blocks_done;

__global__ void sums(const int *in, int *partial, int *out)
{
	__shared__ bool is_last;

	if (threadIdx.x == 0) {
		atomicAdd(&partial[blockIdx.x], in[blockIdx.x]);
		__threadfence();
		is_last = atomicAdd(&blocks_done, 1u) == gridDim.x - 1; // check: shared-race
	}
	if (is_last)
		out[threadIdx.x] = 1;
}

int main()
{
	int *in, *partial, *out;

	cudaMalloc(&in, 4 * sizeof(int));
	cudaMalloc(&partial, 4 * sizeof(int));
	cudaMalloc(&out, 64 * sizeof(int));
	cudaMemset(in, 0, 4 * sizeof(int));
	cudaMemset(partial, 0, 4 * sizeof(int));
	sums<<<4, 64>>>(in, partial, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(partial);
	cudaFree(out);
	puts("done");
	return 0;
}
