// SPDX-License-Identifier: Apache-2.0
// Copies within one array whose source ends where their target begins.
#include <cstdio>

__global__ void last(const int *x, int *out)
{
	*out = x[255];
}

int main()
{
	int *x, *out;

	cudaMalloc(&x, 256 * sizeof(int));
	cudaMalloc(&out, sizeof(int));
	cudaMemset(x, 0, 32 * sizeof(int));
	for (int n = 32; n < 256; n *= 2)
		cudaMemcpy(x + n, x, n * sizeof(int), cudaMemcpyDeviceToDevice);
	last<<<1, 1>>>(x, out);
	cudaDeviceSynchronize();
	cudaFree(x);
	cudaFree(out);
	puts("done");
	return 0;
}
