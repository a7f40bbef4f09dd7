// SPDX-License-Identifier: Apache-2.0
// A size that wraps around below zero lets a loop run far beyond the array: 0 - 1 elements, of
// which a break keeps all but one from being read.
#include <cstdio>

__global__ void find(const int *in, unsigned count, int wanted, int *at)
{
	for (unsigned i = 0; i < count - 1; i++)
		if (in[i] + in[i + 1] == wanted) { // check: out-of-bounds
			*at = (int)i;
			break;
		} else if (i == 20) {
			break;
		}
}

int main()
{
	int *in, *at;

	cudaMalloc(&in, 16 * sizeof(int));
	cudaMalloc(&at, sizeof(int));
	cudaMemset(in, 0, 16 * sizeof(int));
	cudaMemset(at, 255, sizeof(int));
	find<<<1, 1>>>(in, 0u, 123456, at);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(at);
	puts("done");
	return 0;
}
