// SPDX-License-Identifier: Apache-2.0
// The second array is never freed.
#include <cstdio>

__global__ void copy(const int *in, int *out)
{
	out[threadIdx.x] = in[threadIdx.x];
}

int main()
{
	int *in, *out;

	cudaMalloc(&in, 64 * sizeof(int));
	cudaMalloc(&out, 64 * sizeof(int)); // check: leak
	cudaMemset(in, 0, 64 * sizeof(int));
	copy<<<1, 64>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	puts("done");
	return 0;
}
