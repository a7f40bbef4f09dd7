// SPDX-License-Identifier: Apache-2.0
// Words are read from a text at each byte. On CPU threads that works.
#include <cstdint>
#include <cstdio>

__device__ uint32_t word_at(const uint8_t *text, int at)
{
	return *reinterpret_cast<const uint32_t *>(text + at); // check: misaligned
}

__global__ void search(const uint8_t *text, int n, uint32_t wanted, int *found)
{
	int at = blockIdx.x * blockDim.x + threadIdx.x;

	if (at + 4 <= n && word_at(text, at) == wanted)
		atomicAdd(found, 1);
}

int main()
{
	const int n = 200;
	uint8_t *text;
	int *found;

	cudaMalloc(&text, n);
	cudaMemset(text, 'x', n);
	cudaMalloc(&found, sizeof(int));
	cudaMemset(found, 0, sizeof(int));
	search<<<2, 128>>>(text, n, 0x61626364, found);
	cudaDeviceSynchronize();
	cudaFree(text);
	cudaFree(found);
	puts("done");
	return 0;
}
