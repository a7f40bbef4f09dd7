// SPDX-License-Identifier: Apache-2.0
// Results are copied with the direction of inputs.
#include <cstdio>

__global__ void fill(float *x)
{
	x[threadIdx.x] = 1.f;
}

int main()
{
	float host[64] = {}, *device;

	cudaMalloc(&device, sizeof(host));
	fill<<<1, 64>>>(device);
	cudaMemcpy(host, device, sizeof(host), cudaMemcpyHostToDevice); // check: copy-direction
	printf("%g\n", host[0]);
	cudaFree(device);
	return 0;
}
