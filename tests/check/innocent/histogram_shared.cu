// SPDX-License-Identifier: Apache-2.0
// Bins of each block in shared memory, added to those of all blocks at the end.
#include <cstdio>

__global__ void histogram(const unsigned char *in, unsigned *out, int n)
{
	__shared__ unsigned bins[256];

	for (int b = threadIdx.x; b < 256; b += blockDim.x)
		bins[b] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[in[i]], 1u);
	__syncthreads();
	for (int b = threadIdx.x; b < 256; b += blockDim.x)
		if (bins[b])
			atomicAdd(&out[b], bins[b]);
}

int main()
{
	const int n = 1000;
	unsigned char host[n], *in;
	unsigned *out;

	for (int i = 0; i < n; i++)
		host[i] = (unsigned char)(i * 7);
	cudaMalloc(&in, n);
	cudaMalloc(&out, 256 * sizeof(unsigned));
	cudaMemcpy(in, host, n, cudaMemcpyHostToDevice);
	cudaMemset(out, 0, 256 * sizeof(unsigned));
	histogram<<<2, 64>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
