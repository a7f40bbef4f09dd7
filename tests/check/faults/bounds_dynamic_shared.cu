// SPDX-License-Identifier: Apache-2.0
// The launch gives a byte of dynamic shared memory for each int of the tile.
#include <cstdio>

__global__ void reverse(int *data, int n)
{
	extern __shared__ int tile[];
	int i = threadIdx.x;

	tile[i] = data[i]; // check: none yet, out-of-bounds
	__syncthreads();
	data[i] = i;
}

int main()
{
	const int n = 64;
	int *data;

	cudaMalloc(&data, n * sizeof(int));
	cudaMemset(data, 0, n * sizeof(int));
	reverse<<<1, n, n>>>(data, n);
	cudaDeviceSynchronize();
	cudaFree(data);
	puts("done");
	return 0;
}
