// SPDX-License-Identifier: Apache-2.0
// Rows have room for whole warps: what lies behind their width is computed as well.
#include <cstdio>

__global__ void scale(float *rows, int stride, float factor)
{
	rows[blockIdx.x * stride + threadIdx.x] *= factor;
}

int main()
{
	const int width = 45, stride = 64, height = 10;
	float host[height][width] = {}, *rows;

	cudaMalloc(&rows, stride * height * sizeof(float));
	cudaMemset(rows, 0, stride * height * sizeof(float));
	cudaMemcpy2D(rows, stride * sizeof(float), host, sizeof(host[0]), sizeof(host[0]), height,
		     cudaMemcpyHostToDevice);
	scale<<<height, stride>>>(rows, stride, 2.f);
	cudaMemcpy2D(host, sizeof(host[0]), rows, stride * sizeof(float), sizeof(host[0]), height,
		     cudaMemcpyDeviceToHost);
	cudaFree(rows);
	puts("done");
	return 0;
}
