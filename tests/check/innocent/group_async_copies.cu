// SPDX-License-Identifier: Apache-2.0
// A block copies a tile by cg::memcpy_async.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void reverse(int *data, int n)
{
	extern __shared__ int tile[];
	auto block = cg::this_thread_block();

	cg::memcpy_async(block, tile, data, n * sizeof(int));
	cg::wait(block);
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		data[i] = tile[n - 1 - i];
}

int main()
{
	const int n = 150;
	int host[n], *data;

	for (int i = 0; i < n; i++)
		host[i] = i;
	cudaMalloc(&data, sizeof(host));
	cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
	reverse<<<1, 64, n * sizeof(int)>>>(data, n);
	cudaDeviceSynchronize();
	cudaFree(data);
	puts("done");
	return 0;
}
