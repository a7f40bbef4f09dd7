// SPDX-License-Identifier: Apache-2.0
// Active lanes reserve their places in a list together.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ int reserve(int *count)
{
	auto active = cg::coalesced_threads();
	int first = 0;

	if (active.thread_rank() == 0)
		first = atomicAdd(count, (int)active.size());
	return active.shfl(first, 0) + active.thread_rank();
}

__global__ void odd(const int *in, int *out, int *count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (in[i] % 2)
		out[reserve(count)] = in[i];
}

int main()
{
	const int n = 256;
	int host[n], *in, *out, *count;

	for (int i = 0; i < n; i++)
		host[i] = i * i + i / 3;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMalloc(&count, sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemset(count, 0, sizeof(int));
	odd<<<4, 64>>>(in, out, count);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	cudaFree(count);
	puts("done");
	return 0;
}
