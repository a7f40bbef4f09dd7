// SPDX-License-Identifier: Apache-2.0
// A block more is launched than there are places for partial sums.
#include <cstdio>

__global__ void partial(const int *in, int *sums, int n)
{
	int sum = 0;

	for (int i = blockIdx.x * 256 + threadIdx.x; i < min(n, (int)(blockIdx.x + 1) * 256);
	     i += blockDim.x)
		sum += in[i];
	for (int lanes = 16; lanes; lanes /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, lanes);
	if (threadIdx.x == 0)
		sums[blockIdx.x] = sum; // check: out-of-bounds
}

int main()
{
	const int n = 1100;
	int *in, *sums, blocks = n / 256;

	cudaMalloc(&in, n * sizeof(int));
	cudaMemset(in, 0, n * sizeof(int));
	cudaMalloc(&sums, blocks * sizeof(int));
	partial<<<blocks + 1, 32>>>(in, sums, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(sums);
	puts("done");
	return 0;
}
