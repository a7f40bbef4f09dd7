// SPDX-License-Identifier: Apache-2.0
// Dynamic shared memory is divided into bytes and doubles, and the number of bytes is no multiple
// of 8. On CPU threads that works.
#include <cstdio>

__global__ void carve(const double *in, double *out, int bytes)
{
	extern __shared__ char memory[];
	char *flags = memory;
	double *values = (double *)(memory + bytes);

	if (threadIdx.x < bytes)
		flags[threadIdx.x] = 1;
	values[threadIdx.x] = in[threadIdx.x]; // check: misaligned
	__syncthreads();
	out[threadIdx.x] = flags[threadIdx.x % bytes] * 2.0;
}

int main()
{
	double *in, *out;

	cudaMalloc(&in, 32 * sizeof(double));
	cudaMemset(in, 0, 32 * sizeof(double));
	cudaMalloc(&out, 32 * sizeof(double));
	carve<<<1, 32, 36 + 32 * sizeof(double)>>>(in, out, 28);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
