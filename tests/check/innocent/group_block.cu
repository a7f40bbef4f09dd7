// SPDX-License-Identifier: Apache-2.0
// A reduction whose barriers are those of cooperative groups.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int *tile, int value)
{
	unsigned rank = group.thread_rank();

	for (unsigned half = group.size() / 2; half > 0; half /= 2) {
		tile[rank] = value;
		group.sync();
		if (rank < half)
			value += tile[rank + half];
		group.sync();
	}
	return value;
}

__global__ void sum(const int *in, int *out)
{
	__shared__ int tile[64];
	auto block = cg::this_thread_block();
	int total = sum_of(block, tile, in[block.thread_rank()]);

	if (block.thread_rank() == 0)
		*out = total;
}

int main()
{
	int host[64], *in, *out;

	for (int i = 0; i < 64; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	sum<<<1, 64>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
