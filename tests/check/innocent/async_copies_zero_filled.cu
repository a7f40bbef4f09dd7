// SPDX-License-Identifier: Apache-2.0
// The last asynchronous copies have no bytes from the array, and fill their target with zeros.
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void load(const float *in, float *out, int n)
{
	__shared__ float4 tile[32];
	int t = threadIdx.x, left = min(max(n - 4 * t, 0), 4);

	__pipeline_memcpy_async(&tile[t], left ? &in[4 * t] : in, 16, 16 - left * sizeof(float));
	__pipeline_commit();
	__pipeline_wait_prior(0);
	__syncthreads();
	out[t] = tile[31 - t].x + tile[31 - t].w;
}

int main()
{
	const int n = 101;
	float host[n] = {}, *in, *out;

	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, 32 * sizeof(float));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	load<<<1, 32>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
