// SPDX-License-Identifier: Apache-2.0
// A packed format is read byte by byte, or by memcpy.
#include <cstdio>
#include <cstring>

__global__ void read(const unsigned char *file, double *out, int n)
{
	double value;
	unsigned id = 0;

	if (threadIdx.x >= n)
		return;
	const unsigned char *entry = file + 11 * threadIdx.x;
	for (int b = 0; b < 3; b++)
		id |= (unsigned)entry[b] << 8 * b;
	memcpy(&value, entry + 3, sizeof(value));
	out[threadIdx.x] = value + id;
}

int main()
{
	const int n = 13;
	unsigned char *file;
	double *out;

	cudaMalloc(&file, 11 * n);
	cudaMalloc(&out, n * sizeof(double));
	cudaMemset(file, 0, 11 * n);
	read<<<1, 32>>>(file, out, n);
	cudaDeviceSynchronize();
	cudaFree(file);
	cudaFree(out);
	puts("done");
	return 0;
}
