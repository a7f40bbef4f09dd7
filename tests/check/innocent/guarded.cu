// SPDX-License-Identifier: Apache-2.0
// A vector addition whose last thread block is not full.
#include <cstdio>

__global__ void add(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i];
}

int main()
{
	const int n = 1000;
	float host[n] = {}, *a, *b, *c;

	cudaMalloc(&a, sizeof(host));
	cudaMalloc(&b, sizeof(host));
	cudaMalloc(&c, sizeof(host));
	cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(b, host, sizeof(host), cudaMemcpyHostToDevice);
	add<<<4, 256>>>(a, b, c, n);
	cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	puts("done");
	return 0;
}
