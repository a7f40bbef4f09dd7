// SPDX-License-Identifier: Apache-2.0
// A copy between devices that are the same one.
#include <cstdio>

__global__ void read(const int *x, int *out)
{
	out[threadIdx.x] = x[threadIdx.x];
}

int main()
{
	int *a, *b, *out;

	cudaSetDevice(0);
	cudaMalloc(&a, 256);
	cudaMalloc(&b, 256);
	cudaMalloc(&out, 256);
	cudaMemset(a, 0, 256);
	cudaMemcpyPeer(b, 0, a, 0, 256);
	read<<<1, 64>>>(b, out);
	cudaDeviceSynchronize();
	cudaFree(a);
	cudaFree(b);
	cudaFree(out);
	puts("done");
	return 0;
}
