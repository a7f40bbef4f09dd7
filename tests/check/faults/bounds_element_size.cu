// SPDX-License-Identifier: Apache-2.0
// cudaMalloc is given a number of elements, not of bytes.
#include <cstdio>

__global__ void iota(double *out, int n)
{
	int i = threadIdx.x;

	if (i < n)
		out[i] = i; // check: out-of-bounds
}

int main()
{
	const int n = 96;
	double *out;

	cudaMalloc(&out, n);
	iota<<<1, 128>>>(out, n);
	cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(cudaGetLastError()));
	cudaFree(out);
	return 0;
}
