// SPDX-License-Identifier: Apache-2.0
// A block uses a part of its own of global memory as scratch, with barriers.
#include <cstdio>

__global__ void rotate(const int *in, int *scratch, int *out)
{
	int base = blockIdx.x * blockDim.x, t = threadIdx.x;

	for (int round = 0; round < 3; round++) {
		scratch[base + t] = in[base + t] + round;
		__syncthreads();
		out[base + t] = scratch[base + (t + 40) % blockDim.x];
		__syncthreads();
	}
}

int main()
{
	int *in, *scratch, *out;

	cudaMalloc(&in, 256 * sizeof(int));
	cudaMalloc(&scratch, 256 * sizeof(int));
	cudaMalloc(&out, 256 * sizeof(int));
	cudaMemset(in, 0, 256 * sizeof(int));
	rotate<<<2, 128>>>(in, scratch, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(scratch);
	cudaFree(out);
	puts("done");
	return 0;
}
