// SPDX-License-Identifier: Apache-2.0
// A table in a variable of the device is one element short.
#include <cstdio>

__device__ int powers[16];

__global__ void fill(int n)
{
	int i = threadIdx.x;

	if (i <= n)
		powers[i] = 1 << i; // check: out-of-bounds
}

int main()
{
	int host[16];

	fill<<<1, 32>>>(16);
	cudaMemcpyFromSymbol(host, powers, sizeof(host));
	printf("%d\n", host[15]);
	return 0;
}
