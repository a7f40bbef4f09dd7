// SPDX-License-Identifier: Apache-2.0
// Only the first 16 threads of the block come to the barrier.
#include <cstdio>

__global__ void fold(int *data)
{
	__shared__ int tile[32];
	int t = threadIdx.x;

	tile[t] = data[t];
	if (t < 16) {
		__syncthreads(); // check: divergent-barrier
		data[t] = 2 * tile[t];
	}
}

int main()
{
	int *data;

	cudaMalloc(&data, 32 * sizeof(int));
	cudaMemset(data, 0, 32 * sizeof(int));
	fold<<<1, 32>>>(data);
	printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
	cudaFree(data);
	return 0;
}
