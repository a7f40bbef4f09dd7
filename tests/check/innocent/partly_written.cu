// SPDX-License-Identifier: Apache-2.0
// Only a part of an array is written, and only this part is read.
#include <cstdio>

__global__ void write(int *x)
{
	x[3 * threadIdx.x] = threadIdx.x;
}

__global__ void read(const int *x, int *out)
{
	out[threadIdx.x] = x[3 * threadIdx.x];
}

int main()
{
	int *x, *out;

	cudaMalloc(&x, 3 * 64 * sizeof(int));
	cudaMalloc(&out, 64 * sizeof(int));
	write<<<1, 64>>>(x);
	read<<<1, 64>>>(x, out);
	cudaDeviceSynchronize();
	cudaFree(x);
	cudaFree(out);
	puts("done");
	return 0;
}
