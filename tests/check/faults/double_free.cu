// SPDX-License-Identifier: Apache-2.0
// An array is freed twice.
#include <cstdio>

int main()
{
	float *x;

	cudaMalloc(&x, 1024);
	cudaMemset(x, 0, 1024);
	cudaFree(x);
	cudaFree(x); // check: double-free
	puts("done");
	return 0;
}
