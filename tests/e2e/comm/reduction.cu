/* SPDX-License-Identifier: Apache-2.0 */
/* A reduction tree: each launch has half the CTAs and leaves half the elements. */
#include "run.h"

__global__ void fill(int *a)
{
	a[blockIdx.x * 32 + threadIdx.x] = 1;
}

__global__ void halve(const int *in, int *out)
{
	int i = blockIdx.x * 32 + threadIdx.x;

	out[i] = in[blockIdx.x * 64 + threadIdx.x] + in[blockIdx.x * 64 + 32 + threadIdx.x];
}

int main()
{
	int *a, *b, *c, *d;

	must(cudaMalloc(&a, 8 * 32 * sizeof(int)));
	must(cudaMalloc(&b, 4 * 32 * sizeof(int)));
	must(cudaMalloc(&c, 2 * 32 * sizeof(int)));
	must(cudaMalloc(&d, 1 * 32 * sizeof(int)));

	fill<<<8, 32>>>(a);
	halve<<<4, 32>>>(a, b);
	halve<<<2, 32>>>(b, c);
	halve<<<1, 32>>>(c, d);
	return finish();
}
