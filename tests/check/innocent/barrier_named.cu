// SPDX-License-Identifier: Apache-2.0
// Warps of a block with different tasks meet at a barrier of 64 threads of their own.
#include <cstdio>

__device__ void meet(int barrier, int threads)
{
	asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__global__ void pairs(const int *in, int *out)
{
	__shared__ int tile[128];
	int pair = threadIdx.x / 64, t = threadIdx.x % 64;

	tile[threadIdx.x] = in[threadIdx.x];
	meet(pair + 1, 64);
	out[threadIdx.x] = tile[pair * 64 + 63 - t];
}

int main()
{
	int host[128], *in, *out;

	for (int i = 0; i < 128; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	pairs<<<1, 128>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
