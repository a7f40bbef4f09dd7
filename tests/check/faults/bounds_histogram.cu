// SPDX-License-Identifier: Apache-2.0
// The largest value falls into a bin that does not exist.
#include <cstdio>

__global__ void histogram(const float *in, unsigned *bins, int n, int count, float largest)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		atomicAdd(&bins[(int)(in[i] / largest * count)], 1u); // check: out-of-bounds
}

int main()
{
	const int n = 129, count = 64;
	float host[n], *in;
	unsigned *bins;

	for (int i = 0; i < n; i++)
		host[i] = (float)i;
	cudaMalloc(&in, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMalloc(&bins, count * sizeof(unsigned));
	cudaMemset(bins, 0, count * sizeof(unsigned));
	histogram<<<2, 128>>>(in, bins, n, count, 128.f);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(bins);
	puts("done");
	return 0;
}
