// SPDX-License-Identifier: Apache-2.0
// Variables of the device are zero, or what they were defined as, before anybody writes them.
#include <cstdio>

__device__ int counts[8];
__device__ float scale = 2.5f;
__device__ int largest;

__global__ void count(const int *in)
{
	atomicAdd(&counts[in[threadIdx.x] % 8], 1);
	atomicMax(&largest, in[threadIdx.x]);
}

__global__ void scaled(float *out)
{
	out[threadIdx.x] = scale * counts[threadIdx.x];
}

int main()
{
	int host[64], *in;
	float *out;

	for (int i = 0; i < 64; i++)
		host[i] = i;
	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, 8 * sizeof(float));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	count<<<1, 64>>>(in);
	scaled<<<1, 8>>>(out);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
