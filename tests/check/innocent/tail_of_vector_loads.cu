// SPDX-License-Identifier: Apache-2.0
// Whole float4 by vector loads, what is left by scalar ones.
#include <cstdio>

__global__ void twice(float *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (4 * i + 3 < n) {
		float4 *quad = reinterpret_cast<float4 *>(x) + i;
		float4 v = *quad;

		*quad = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
	} else {
		for (int k = 4 * i; k < n; k++)
			x[k] *= 2;
	}
}

int main()
{
	const int n = 503;
	float host[n] = {}, *x;

	cudaMalloc(&x, sizeof(host));
	cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
	twice<<<2, 64>>>(x, n);
	cudaDeviceSynchronize();
	cudaFree(x);
	puts("done");
	return 0;
}
