// SPDX-License-Identifier: Apache-2.0
// A packed file format: the doubles begin behind a header of 12 bytes. On CPU threads that works.
#include <cstdio>

__global__ void read(const char *file, double *out, int n)
{
	const double *values = (const double *)(file + 12);

	if (threadIdx.x < n)
		out[threadIdx.x] = values[threadIdx.x]; // check: misaligned
}

int main()
{
	const int n = 20;
	char *file;
	double *out;

	cudaMalloc(&file, 12 + n * sizeof(double));
	cudaMemset(file, 0, 12 + n * sizeof(double));
	cudaMalloc(&out, n * sizeof(double));
	read<<<1, 32>>>(file, out, n);
	cudaDeviceSynchronize();
	cudaFree(file);
	cudaFree(out);
	puts("done");
	return 0;
}
