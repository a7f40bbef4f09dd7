// SPDX-License-Identifier: Apache-2.0
// One block waits for the flag of another, which has stored its result before.
#include <cstdio>

__global__ void hand_over(volatile int *data, volatile int *flag, int *out)
{
	if (blockIdx.x == 0 && threadIdx.x == 0) {
		*data = 42;
		__threadfence();
		*flag = 1;
	}
	if (blockIdx.x == 1 && threadIdx.x == 0) {
		while (!*flag)
			;
		__threadfence();
		*out = *data;
	}
}

int main()
{
	int *memory;

	cudaMalloc(&memory, 3 * sizeof(int));
	cudaMemset(memory, 0, 3 * sizeof(int));
	hand_over<<<2, 32>>>(memory, memory + 1, memory + 2);
	cudaDeviceSynchronize();
	cudaFree(memory);
	puts("done");
	return 0;
}
