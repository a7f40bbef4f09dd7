// SPDX-License-Identifier: Apache-2.0
// One buffer of an array of them was freed, and its neighbours were not.
#include <cstdio>

__global__ void fill(int *const *buffers, int count, int each)
{
	if (blockIdx.x < count && threadIdx.x < each)
		buffers[blockIdx.x][threadIdx.x] = blockIdx.x; // check: use-after-free
}

static void drop(int **buffers, int which)
{
	cudaFree(buffers[which]);
}

int main()
{
	const int count = 5, each = 64;
	int *host[count], **buffers;

	for (int i = 0; i < count; i++)
		cudaMalloc(&host[i], each * sizeof(int));
	cudaMalloc(&buffers, sizeof(host));
	cudaMemcpy(buffers, host, sizeof(host), cudaMemcpyHostToDevice);
	drop(host, 2);
	fill<<<count, each>>>(buffers, count, each);
	cudaDeviceSynchronize();
	for (int i = 0; i < count; i++)
		if (i != 2)
			cudaFree(host[i]);
	cudaFree(buffers);
	puts("done");
	return 0;
}
