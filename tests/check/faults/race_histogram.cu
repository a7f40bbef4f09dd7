// SPDX-License-Identifier: Apache-2.0
// Bins in global memory are counted up without an atomic operation.
#include <cstdio>

__global__ void histogram(const unsigned char *in, int *bins, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		bins[in[i]]++; // check: race
}

int main()
{
	const int n = 512;
	unsigned char host[n], *in;
	int *bins;

	for (int i = 0; i < n; i++)
		host[i] = (unsigned char)(i % 7);
	cudaMalloc(&in, n);
	cudaMalloc(&bins, 256 * sizeof(int));
	cudaMemcpy(in, host, n, cudaMemcpyHostToDevice);
	cudaMemset(bins, 0, 256 * sizeof(int));
	histogram<<<4, 128>>>(in, bins, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(bins);
	puts("done");
	return 0;
}
