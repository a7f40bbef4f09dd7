// SPDX-License-Identifier: Apache-2.0
// No guard at all: the last thread block has more threads than there are elements left.
#include <cstdio>
#include <vector>

__global__ void scale(float *x, float factor)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] *= factor; // check: out-of-bounds
}

int main()
{
	std::vector<float> host(300, 2.f);
	float *x;

	cudaMalloc((void **)&x, host.size() * sizeof(float));
	cudaMemcpy(x, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
	scale<<<3, 128>>>(x, 3.f);
	cudaMemcpy(host.data(), x, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
	printf("%g\n", host[299]);
	cudaFree(x);
	return 0;
}
