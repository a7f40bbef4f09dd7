// SPDX-License-Identifier: Apache-2.0
// Values below the least one get negative bins.
#include <cstdio>

__global__ void count(const short *in, int *bins, int n, int least)
{
	int i = threadIdx.x;

	if (i < n)
		atomicAdd(bins + (in[i] - least), 1); // check: before-begin
}

int main()
{
	const int n = 64;
	short host[n], *in;
	int *bins;

	for (int i = 0; i < n; i++)
		host[i] = (short)(i / 4 + 10);
	cudaMalloc(&in, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMalloc(&bins, 16 * sizeof(int));
	cudaMemset(bins, 0, 16 * sizeof(int));
	count<<<1, n>>>(in, bins, n, 11);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(bins);
	puts("done");
	return 0;
}
