// SPDX-License-Identifier: Apache-2.0
// A lock in global memory guards an ordinary variable.
#include <cstdio>

__device__ int lock;

__global__ void guarded(int *sum)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(&lock, 0, 1))
			;
		__threadfence();
		*(volatile int *)sum += blockIdx.x;
		__threadfence();
		atomicExch(&lock, 0);
	}
}

int main()
{
	int *sum;

	cudaMalloc(&sum, sizeof(int));
	cudaMemset(sum, 0, sizeof(int));
	guarded<<<6, 32>>>(sum);
	cudaDeviceSynchronize();
	cudaFree(sum);
	puts("done");
	return 0;
}
