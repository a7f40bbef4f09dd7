// SPDX-License-Identifier: Apache-2.0
// Each block writes its halo as well, with other values than its neighbour.
#include <cstdio>

__global__ void tag(int *out)
{
	out[blockIdx.x * 60 + threadIdx.x] = 1000 * blockIdx.x + threadIdx.x; // check: race
}

int main()
{
	int *out;

	cudaMalloc(&out, 4 * 64 * sizeof(int));
	tag<<<4, 64>>>(out);
	cudaDeviceSynchronize();
	cudaFree(out);
	puts("done");
	return 0;
}
