// SPDX-License-Identifier: Apache-2.0
// No barrier between loading a tile and using what other warps have loaded.
#include <cstdio>

__global__ void reverse(int *data)
{
	__shared__ int tile[128];

	tile[threadIdx.x] = data[threadIdx.x]; // check: shared-race
	data[threadIdx.x] = tile[127 - threadIdx.x];
}

int main()
{
	int *data;

	cudaMalloc(&data, 128 * sizeof(int));
	cudaMemset(data, 0, 128 * sizeof(int));
	reverse<<<1, 128>>>(data);
	cudaDeviceSynchronize();
	cudaFree(data);
	puts("done");
	return 0;
}
