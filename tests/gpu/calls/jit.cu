// SPDX-License-Identifier: Apache-2.0
// A kernel without code for later devices, only as PTX: the driver compiles it.
// arch: sm_80
#include <cstdio>

__global__ void add(float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		x[i] += 1;
}

int main()
{
	const int n = 1024;
	float *x, first = 0;

	cudaMalloc(&x, n * sizeof(*x));
	cudaMemset(x, 0, n * sizeof(*x));
	add<<<n / 256, 256>>>(x, n);
	cudaMemcpy(&first, x, sizeof(first), cudaMemcpyDeviceToHost);
	cudaFree(x);
	printf("%g\n", first);
	return first != 1;
}
