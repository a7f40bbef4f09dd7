// SPDX-License-Identifier: Apache-2.0
// Memory that was never written is copied on the device, and the copy is read.
#include <cstdio>

__global__ void sum(const int *in, int *out, int n)
{
	int total = 0;

	for (int i = 0; i < n; i++)
		total += in[i]; // check: uninitialized-read
	*out = total;
}

int main()
{
	const int n = 64;
	int *old, *copy, *out;

	cudaMalloc(&old, n * sizeof(int));
	cudaMalloc(&copy, n * sizeof(int));
	cudaMalloc(&out, sizeof(int));
	cudaMemset(copy, 0, n * sizeof(int));
	cudaMemcpy(copy, old, n / 2 * sizeof(int), cudaMemcpyDeviceToDevice);
	sum<<<1, 1>>>(copy, out, n);
	cudaDeviceSynchronize();
	cudaFree(old);
	cudaFree(copy);
	cudaFree(out);
	puts("done");
	return 0;
}
