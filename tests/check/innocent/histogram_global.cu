// SPDX-License-Identifier: Apache-2.0
// Bins in global memory, by atomic operations.
#include <cstdio>

__global__ void histogram(const unsigned char *in, unsigned *bins, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[in[i]], 1u);
}

int main()
{
	const int n = 1000;
	unsigned char host[n], *in;
	unsigned *bins;

	for (int i = 0; i < n; i++)
		host[i] = (unsigned char)(i * i);
	cudaMalloc(&in, n);
	cudaMalloc(&bins, 256 * sizeof(unsigned));
	cudaMemcpy(in, host, n, cudaMemcpyHostToDevice);
	cudaMemset(bins, 0, 256 * sizeof(unsigned));
	histogram<<<2, 128>>>(in, bins, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(bins);
	puts("done");
	return 0;
}
