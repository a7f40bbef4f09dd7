// SPDX-License-Identifier: Apache-2.0
// The tile has no room for the right halo.
#include <cstdio>

#define THREADS 128

__global__ void blur(const float *in, float *out, int n)
{
	__shared__ float tile[THREADS + 1];
	int i = blockIdx.x * THREADS + threadIdx.x, t = threadIdx.x + 1;

	tile[t] = in[i];
	if (threadIdx.x == 0)
		tile[0] = i ? in[i - 1] : 0;
	if (threadIdx.x == THREADS - 1)
		tile[t + 1] = i + 1 < n ? in[i + 1] : 0; // check: none yet, out-of-bounds
	__syncthreads();
	if (threadIdx.x < THREADS - 1)
		out[i] = (tile[t - 1] + tile[t]) / 2;
}

int main()
{
	const int n = 4 * THREADS;
	float *in, *out;

	cudaMalloc(&in, n * sizeof(float));
	cudaMalloc(&out, n * sizeof(float));
	cudaMemset(in, 0, n * sizeof(float));
	blur<<<4, THREADS>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
