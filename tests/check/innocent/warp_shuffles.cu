// SPDX-License-Identifier: Apache-2.0
// A reduction by shuffles: warps, then the first warp of the block.
#include <cstdio>

__inline__ __device__ float warp_sum(float value)
{
	for (int lanes = warpSize / 2; lanes; lanes /= 2)
		value += __shfl_down_sync(0xffffffff, value, lanes);
	return value;
}

__global__ void sum(const float *in, float *out, int n)
{
	__shared__ float sums[32];
	float value = 0;
	int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		value += in[i];
	value = warp_sum(value);
	if (lane == 0)
		sums[warp] = value;
	__syncthreads();
	value = threadIdx.x < blockDim.x / warpSize ? sums[lane] : 0;
	if (warp == 0)
		value = warp_sum(value);
	if (threadIdx.x == 0)
		atomicAdd(out, value);
}

int main()
{
	const int n = 1000;
	float host[n] = {}, *in, *out;

	cudaMalloc(&in, sizeof(host));
	cudaMalloc(&out, sizeof(float));
	cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemset(out, 0, sizeof(float));
	sum<<<3, 128>>>(in, out, n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	puts("done");
	return 0;
}
