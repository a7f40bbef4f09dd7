// SPDX-License-Identifier: Apache-2.0
// A branch with a barrier that all threads of a block take, or none.
#include <cstdio>

__global__ void turn(int *data)
{
	__shared__ int tile[64];
	int i = blockIdx.x * 64 + threadIdx.x;

	if (blockIdx.x % 2 == 0) {
		tile[threadIdx.x] = data[i];
		__syncthreads();
		data[i] = tile[63 - threadIdx.x];
	}
}

int main()
{
	int host[256], *data;

	for (int i = 0; i < 256; i++)
		host[i] = i;
	cudaMalloc(&data, sizeof(host));
	cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
	turn<<<4, 64>>>(data);
	cudaDeviceSynchronize();
	cudaFree(data);
	puts("done");
	return 0;
}
