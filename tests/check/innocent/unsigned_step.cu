// SPDX-License-Identifier: Apache-2.0
// A step of -1 that is unsigned wraps around to where it should be.
#include <cstdio>

__global__ void previous(const int *in, int *out, unsigned n, unsigned step)
{
	unsigned i = threadIdx.x + 1;

	if (i < n)
		out[i] = in[i + step];
}

int main()
{
	const int n = 64;
	int *in, *out;

	cudaMalloc(&in, n * sizeof(int));
	cudaMalloc(&out, n * sizeof(int));
	cudaMemset(in, 0, n * sizeof(int));
	previous<<<1, n>>>(in, out, n, (unsigned)-1);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
