// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies to shared memory, in two stages.
#include <cstdio>
#include <cuda_pipeline.h>

#define T 64

__global__ void sum_tiles(const float *in, float *out, int tiles)
{
	__shared__ float stage[2][T];
	float sum = 0;
	int t = threadIdx.x;

	__pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(float));
	__pipeline_commit();
	for (int k = 0; k < tiles; k++) {
		if (k + 1 < tiles)
			__pipeline_memcpy_async(&stage[(k + 1) % 2][t], &in[(k + 1) * T + t],
						sizeof(float));
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += stage[k % 2][T - 1 - t];
		__syncthreads();
	}
	out[t] = sum;
}

int main()
{
	const int tiles = 5;
	float host[tiles * T] = {}, *in, *out;

	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, T * sizeof(float));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	sum_tiles<<<1, T>>>(in, out, tiles);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
