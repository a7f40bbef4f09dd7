// SPDX-License-Identifier: Apache-2.0
// Groups of 16 threads exchange values among themselves, and wait for themselves alone.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void mirror(int *data)
{
	__shared__ int tile[96];
	auto group = cg::tiled_partition<16>(cg::this_thread_block());
	int base = (threadIdx.x / 16) * 16;

	tile[threadIdx.x] = data[threadIdx.x];
	group.sync();
	data[threadIdx.x] = tile[base + 15 - group.thread_rank()];
}

int main()
{
	int host[96], *data;

	for (int i = 0; i < 96; i++)
		host[i] = i;
	cudaMalloc(&data, sizeof(host));
	cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
	mirror<<<1, 96>>>(data);
	cudaDeviceSynchronize();
	cudaFree(data);
	puts("done");
	return 0;
}
