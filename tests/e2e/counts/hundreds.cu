// SPDX-License-Identifier: Apache-2.0
// Hundreds of sites and of objects in one launch: more than the kernel behind it has threads, so
// that their entries come in several turns. All sites but two write to the first object; of the
// others every third is left alone.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

#define OBJECTS 700
#define SITES 300

struct objects {
	uint32_t *of[OBJECTS];
};

template <int N> __device__ __forceinline__ void step(volatile uint32_t *to, uint32_t i)
{
	if constexpr (N > 0) {
		step<N - 1>(to, i);
		to[i * 3 + N] = N;
	}
}

__global__ void hundreds(const objects *all)
{
	uint32_t *mine = all->of[blockIdx.x];

	if (blockIdx.x % 3)
		mine[threadIdx.x] = blockIdx.x;
	if (blockIdx.x == 0)
		step<SITES>(mine, threadIdx.x);
}

int main()
{
	objects here, *there;
	uint32_t last = 0;

	for (int i = 0; i < OBJECTS; i++)
		if (cudaMalloc(&here.of[i], 4096 + 64 * i) != cudaSuccess)
			return 1;
	if (cudaMalloc(&there, sizeof(here)) != cudaSuccess ||
	    cudaMemcpy(there, &here, sizeof(here), cudaMemcpyHostToDevice) != cudaSuccess)
		return 1;
	for (int launch = 0; launch < 3; launch++)
		hundreds<<<OBJECTS, 32 * (launch + 1)>>>(there);
	if (cudaMemcpy(&last, here.of[OBJECTS - 2], 4, cudaMemcpyDeviceToHost) != cudaSuccess)
		return 1;
	std::printf("%u\n", last);
	return last != OBJECTS - 2;
}
