// SPDX-License-Identifier: Apache-2.0
// An array of int is read as one of long long.
#include <cstdio>

__global__ void both_halves(const int *pairs, long long *out, int n)
{
	const long long *wide = reinterpret_cast<const long long *>(pairs);
	int i = threadIdx.x;

	if (i < n)
		out[i] = wide[i] + 1; // check: out-of-bounds
}

int main()
{
	const int n = 64;
	int *pairs;
	long long *out;

	cudaMalloc(&pairs, n * sizeof(int));
	cudaMemset(pairs, 0, n * sizeof(int));
	cudaMalloc(&out, n * sizeof(long long));
	both_halves<<<1, n>>>(pairs, out, n);
	cudaDeviceSynchronize();
	cudaFree(pairs);
	cudaFree(out);
	puts("done");
	return 0;
}
