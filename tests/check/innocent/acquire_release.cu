// SPDX-License-Identifier: Apache-2.0
// A flag by cuda::atomic_ref, released and acquired.
#include <cstdio>
#include <cuda/atomic>

__global__ void hand_over(int *data, int *flag, int *out)
{
	cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);

	if (blockIdx.x == 0 && threadIdx.x == 0) {
		*data = 7;
		ready.store(1, cuda::memory_order_release);
	}
	if (blockIdx.x == 1 && threadIdx.x == 0) {
		while (!ready.load(cuda::memory_order_acquire))
			;
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
