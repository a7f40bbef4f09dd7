// SPDX-License-Identifier: Apache-2.0
// Threads behind the last element return, the others wait for them at a barrier.
#include <cstdio>

__global__ void shift(const float *in, float *out, int n)
{
	__shared__ float tile[64];
	int i = blockIdx.x * 64 + threadIdx.x;

	if (i >= n)
		return;
	tile[threadIdx.x] = in[i];
	__syncthreads(); // check: divergent-barrier
	out[i] = tile[threadIdx.x ? threadIdx.x - 1 : 0];
}

int main()
{
	const int n = 100;
	float *in, *out;

	cudaMalloc(&in, n * sizeof(float));
	cudaMalloc(&out, n * sizeof(float));
	cudaMemset(in, 0, n * sizeof(float));
	shift<<<2, 64>>>(in, out, n);
	printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
	cudaFree(in);
	cudaFree(out);
	return 0;
}
