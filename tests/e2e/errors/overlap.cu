/* SPDX-License-Identifier: Apache-2.0 */
/* Two kernels in two streams that each wait for the other: ends well only if both run at once. */
#include <cstdio>
#include <cuda_runtime.h>

static const unsigned long long PATIENCE_NS = 10000000000u;

__device__ static unsigned long long now_ns()
{
	unsigned long long now;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	return now;
}

__global__ void meet(volatile int *mine, volatile int *other, int *met)
{
	*mine = 1;
	__threadfence();
	for (unsigned long long start = now_ns(); !*met && now_ns() - start < PATIENCE_NS;) {
		if (*other)
			*met = 1;
		else
			__nanosleep(20000);
	}
}

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t error = (call);                                                        \
		if (error) {                                                                       \
			printf("overlap: %s: %s\n", #call, cudaGetErrorString(error));             \
			return 1;                                                                  \
		}                                                                                  \
	} while (0)

int main()
{
	cudaStream_t streams[2];
	int *flags, result[4];

	CHECK(cudaMalloc(&flags, sizeof(result)));
	CHECK(cudaMemset(flags, 0, sizeof(result)));
	for (int i = 0; i < 2; i++)
		CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 2; i++) {
		meet<<<1, 1, 0, streams[i]>>>(flags + i, flags + !i, flags + 2 + i);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(result, flags, sizeof(result), cudaMemcpyDeviceToHost));
	if (!result[2] || !result[3]) {
		printf("overlap: the kernels did not run at the same time\n");
		return 1;
	}
	printf("overlap: ok\n");
	return 0;
}
