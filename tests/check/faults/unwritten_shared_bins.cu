// SPDX-License-Identifier: Apache-2.0
// 32 threads clear 64 bins.
#include <cstdio>

__global__ void histogram(const unsigned char *in, unsigned *out, int n)
{
	__shared__ unsigned bins[64];

	if (threadIdx.x < 32)
		bins[threadIdx.x] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		atomicAdd(&bins[in[i] % 64], 1u); // check: uninitialized-shared
	__syncthreads();
	if (threadIdx.x < 32)
		atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

int main()
{
	const int n = 256;
	unsigned char host[n], *in;
	unsigned *out;

	for (int i = 0; i < n; i++)
		host[i] = (unsigned char)i;
	cudaMalloc(&in, n);
	cudaMalloc(&out, 32 * sizeof(unsigned));
	cudaMemcpy(in, host, n, cudaMemcpyHostToDevice);
	cudaMemset(out, 0, 32 * sizeof(unsigned));
	histogram<<<1, 64>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
