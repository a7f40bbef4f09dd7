/* SPDX-License-Identifier: Apache-2.0 */
/* Halo exchange in one dimension: a three-point stencil, twice, between two arrays. */
#include "run.h"

#define N (8 * 32)

__global__ void init(float *a)
{
	a[blockIdx.x * 32 + threadIdx.x] = 1;
}

__global__ void step(const float *in, float *out)
{
	int i = blockIdx.x * 32 + threadIdx.x;

	if (i > 0 && i < N - 1)
		out[i] = in[i - 1] + in[i] + in[i + 1];
	else
		out[i] = in[i];
}

int main()
{
	float *a, *b;

	must(cudaMalloc(&a, N * sizeof(float)));
	must(cudaMalloc(&b, N * sizeof(float)));

	init<<<8, 32>>>(a);
	step<<<8, 32>>>(a, b);
	step<<<8, 32>>>(b, a);
	return finish();
}
