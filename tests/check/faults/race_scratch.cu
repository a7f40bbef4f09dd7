// SPDX-License-Identifier: Apache-2.0
// A block uses global memory as scratch, and lacks a barrier between writing and reading.
#include <cstdio>

__global__ void rotate(const int *in, int *scratch, int *out)
{
	int base = blockIdx.x * blockDim.x, t = threadIdx.x;

	scratch[base + t] = in[base + t]; // check: race
	out[base + t] = scratch[base + (t + 40) % blockDim.x];
}

int main()
{
	int *in, *scratch, *out;

	cudaMalloc(&in, 256 * sizeof(int));
	cudaMalloc(&scratch, 256 * sizeof(int));
	cudaMalloc(&out, 256 * sizeof(int));
	cudaMemset(in, 0, 256 * sizeof(int));
	cudaMemset(scratch, 0, 256 * sizeof(int));
	rotate<<<2, 128>>>(in, scratch, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(scratch);
	cudaFree(out);
	puts("done");
	return 0;
}
