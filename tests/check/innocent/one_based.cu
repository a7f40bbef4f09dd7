// SPDX-License-Identifier: Apache-2.0
// Arrays that begin at 1: the pointer that kernels are given lies before the allocation.
#include <cstdio>

__global__ void harmonic(float *a, int n)
{
	int i = threadIdx.x + 1;

	if (i <= n)
		a[i] = 1.f / i;
}

int main()
{
	const int n = 100;
	float *a;

	cudaMalloc(&a, n * sizeof(float));
	harmonic<<<1, 128>>>(a - 1, n);
	cudaDeviceSynchronize();
	cudaFree(a);
	puts("done");
	return 0;
}
