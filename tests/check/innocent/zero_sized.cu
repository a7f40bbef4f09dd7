// SPDX-License-Identifier: Apache-2.0
// No bytes are allocated, copied, set and freed.
#include <cstdio>

__global__ void copy(const int *in, int *out, int n)
{
	int i = threadIdx.x;

	if (i < n)
		out[i] = in[i];
}

int main()
{
	int n = 0, *in = nullptr, *out = nullptr, host[1] = {};

	cudaMalloc(&in, n * sizeof(int));
	cudaMalloc(&out, n * sizeof(int));
	cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
	cudaMemset(out, 0, n * sizeof(int));
	copy<<<1, 32>>>(in, out, n);
	cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost);
	cudaFree(in);
	cudaFree(out);
	cudaFree(nullptr);
	puts("done");
	return 0;
}
