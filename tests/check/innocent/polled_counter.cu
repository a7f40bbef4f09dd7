// SPDX-License-Identifier: Apache-2.0
// Blocks look at a counter that others change by atomic operations, without relying on it.
#include <cstdio>

__global__ void progress(int *done, int *seen)
{
	if (threadIdx.x == 0) {
		atomicAdd(done, 1);
		seen[blockIdx.x] = *(volatile int *)done;
	}
}

int main()
{
	int *done, *seen;

	cudaMalloc(&done, sizeof(int));
	cudaMalloc(&seen, 8 * sizeof(int));
	cudaMemset(done, 0, sizeof(int));
	progress<<<8, 32>>>(done, seen);
	cudaDeviceSynchronize();
	cudaFree(done);
	cudaFree(seen);
	puts("done");
	return 0;
}
