/* SPDX-License-Identifier: Apache-2.0 */
/* Halo exchange in two dimensions: a five-point stencil on 4 x 2 CTAs of 8 x 4 threads. */
#include "run.h"

#define W (4 * 8)
#define H (2 * 4)

__global__ void init(float *a)
{
	int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;

	a[y * W + x] = 1;
}

__global__ void step(const float *in, float *out)
{
	int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
	float sum = in[y * W + x];

	if (x > 0)
		sum += in[y * W + x - 1];
	if (x < W - 1)
		sum += in[y * W + x + 1];
	if (y > 0)
		sum += in[(y - 1) * W + x];
	if (y < H - 1)
		sum += in[(y + 1) * W + x];
	out[y * W + x] = sum;
}

int main()
{
	dim3 grid(4, 2), block(8, 4);
	float *a, *b;

	must(cudaMalloc(&a, W * H * sizeof(float)));
	must(cudaMalloc(&b, W * H * sizeof(float)));

	init<<<grid, block>>>(a);
	step<<<grid, block>>>(a, b);
	return finish();
}
