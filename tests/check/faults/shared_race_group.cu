// SPDX-License-Identifier: Apache-2.0
// Groups of 32 threads wait for one another where all 64 of the block exchange values.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void swap_halves(int *data)
{
	__shared__ int tile[64];
	auto block = cg::this_thread_block();
	auto group = cg::tiled_partition<32>(block);
	unsigned t = block.thread_rank();

	tile[t] = data[t]; // check: shared-race
	group.sync();
	data[t] = tile[t ^ 32];
}

int main()
{
	int host[64], *data;

	for (int i = 0; i < 64; i++)
		host[i] = i;
	cudaMalloc(&data, sizeof(host));
	cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
	swap_halves<<<1, 64>>>(data);
	cudaDeviceSynchronize();
	cudaFree(data);
	puts("done");
	return 0;
}
