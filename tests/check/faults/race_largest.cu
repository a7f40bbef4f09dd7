// SPDX-License-Identifier: Apache-2.0
// The largest value of all threads, by comparing and storing.
#include <cstdio>

__global__ void largest(const int *in, int *most, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n && in[i] > *most)
		*most = in[i]; // check: race
}

int main()
{
	const int n = 256;
	int host[n], *in, *most;

	for (int i = 0; i < n; i++)
		host[i] = i * 37 % 101;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&most, sizeof(int));
	cudaMemset(most, 0, sizeof(int));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	largest<<<4, 64>>>(in, most, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(most);
	puts("done");
	return 0;
}
