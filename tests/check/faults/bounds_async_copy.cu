// SPDX-License-Identifier: Apache-2.0
// An asynchronous copy to shared memory reads beyond the end of the array.
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void halves(const float *in, float *out)
{
	__shared__ float tile[128];
	int t = threadIdx.x;

	__pipeline_memcpy_async(&tile[4 * t], &in[4 * t], 16); // check: none yet, out-of-bounds
	__pipeline_commit();
	__pipeline_wait_prior(0);
	__syncthreads();
	out[t] = tile[127 - t];
}

int main()
{
	float *in, *out;

	cudaMalloc(&in, 124 * sizeof(float));
	cudaMemset(in, 0, 124 * sizeof(float));
	cudaMalloc(&out, 32 * sizeof(float));
	halves<<<1, 32>>>(in, out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
