// SPDX-License-Identifier: Apache-2.0
// Dynamic shared memory is divided into three arrays of different types.
#include <cstdio>

__global__ void carve(const double *in, double *out, int n)
{
	extern __shared__ __align__(16) unsigned char memory[];
	double *values = (double *)memory;
	int *indices = (int *)(values + n);
	unsigned char *flags = (unsigned char *)(indices + n);
	int t = threadIdx.x;

	if (t < n) {
		values[t] = in[t];
		indices[t] = n - 1 - t;
		flags[t] = t % 2;
	}
	__syncthreads();
	if (t < n)
		out[t] = flags[indices[t]] ? values[indices[t]] : 0;
}

int main()
{
	const int n = 45;
	double host[n] = {}, *in, *out;

	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(host));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	carve<<<1, 64, n *(sizeof(double) + sizeof(int) + 1)>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
