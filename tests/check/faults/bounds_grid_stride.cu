// SPDX-License-Identifier: Apache-2.0
// A grid-stride loop goes one element too far.
#include <cstdio>

__global__ void squares(int *out, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x)
		out[i] = i * i; // check: out-of-bounds
}

int main()
{
	const int n = 1024;
	int *out, last;

	cudaMalloc(&out, n * sizeof(int));
	squares<<<2, 64>>>(out, n);
	cudaMemcpy(&last, out + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
	printf("%d\n", last);
	cudaFree(out);
	return 0;
}
