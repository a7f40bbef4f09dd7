// SPDX-License-Identifier: Apache-2.0
// Managed memory is freed while a later launch still uses it.
#include <cstdio>

__global__ void decay(double *field, int n)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		field[i] *= 0.5; // check: use-after-free
}

int main()
{
	const int n = 1000;
	double *field;

	cudaMallocManaged(&field, n * sizeof(double));
	for (int i = 0; i < n; i++)
		field[i] = i;
	decay<<<1, 128>>>(field, n);
	cudaDeviceSynchronize();
	cudaFree(field);
	decay<<<1, 128>>>(field, n);
	cudaDeviceSynchronize();
	puts("done");
	return 0;
}
