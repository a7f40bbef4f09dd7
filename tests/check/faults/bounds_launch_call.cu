// SPDX-License-Identifier: Apache-2.0
// cudaLaunchKernel with an argument that is too large.
#include <cstdio>

__global__ void set(int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = i; // check: out-of-bounds
}

int main()
{
	int *out, n = 256;
	void *arguments[] = {&out, &n};

	cudaMalloc(&out, 200 * sizeof(int));
	cudaLaunchKernel((const void *)set, dim3(2), dim3(128), arguments, 0, 0);
	cudaDeviceSynchronize();
	cudaFree(out);
	puts("done");
	return 0;
}
