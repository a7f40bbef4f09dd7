// SPDX-License-Identifier: Apache-2.0
// One thread stores what all are to use, and they do not wait for it.
#include <cstdio>

__global__ void offset(const int *in, int *out)
{
	__shared__ int first;

	if (threadIdx.x == 0)
		first = in[blockIdx.x * 64]; // check: shared-race
	out[blockIdx.x * 64 + threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x] - first;
}

int main()
{
	int *in, *out;

	cudaMalloc(&in, 128 * sizeof(int));
	cudaMalloc(&out, 128 * sizeof(int));
	cudaMemset(in, 0, 128 * sizeof(int));
	offset<<<2, 64>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
