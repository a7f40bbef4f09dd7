// SPDX-License-Identifier: Apache-2.0
// Columns of a matrix are copied onto other columns of it: their rows interleave, their bytes do
// not.
#include <cstdio>

int main()
{
	const int width = 64, height = 8;
	char *m;

	cudaMalloc(&m, width * height);
	cudaMemset(m, 1, width * height);
	cudaMemcpy2D(m + 32, width, m, width, 32, height, cudaMemcpyDeviceToDevice);
	cudaFree(m);
	puts("done");
	return 0;
}
