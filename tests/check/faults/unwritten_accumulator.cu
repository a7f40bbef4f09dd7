// SPDX-License-Identifier: Apache-2.0
// Sums are added to memory that was never set to 0.
#include <cstdio>

__global__ void accumulate(const float *in, float *sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		sums[i] += in[i]; // check: uninitialized-read
}

int main()
{
	const int n = 200;
	float host[n] = {}, *in, *sums;

	cudaMalloc(&in, n * sizeof(float));
	cudaMalloc(&sums, n * sizeof(float));
	cudaMemcpy(in, host, n * sizeof(float), cudaMemcpyHostToDevice);
	accumulate<<<2, 100>>>(in, sums, n);
	cudaMemcpy(host, sums, n * sizeof(float), cudaMemcpyDeviceToHost);
	cudaFree(in);
	cudaFree(sums);
	puts("done");
	return 0;
}
