// SPDX-License-Identifier: Apache-2.0
// The input is freed before the kernel that reads it is launched.
#include <cstdio>

__global__ void twice(const int *in, int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = 2 * in[i]; // check: use-after-free
}

int main()
{
	const int n = 256;
	int *in, *out;

	cudaMalloc(&in, n * sizeof(int));
	cudaMalloc(&out, n * sizeof(int));
	cudaMemset(in, 0, n * sizeof(int));
	cudaFree(in);
	twice<<<2, 128>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(out);
	puts("done");
	return 0;
}
