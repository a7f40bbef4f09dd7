/* SPDX-License-Identifier: Apache-2.0 */
/* One to many, different bytes: one CTA fills an array, each of eight reads its part. */
#include "run.h"

__global__ void fill(short *a)
{
	a[threadIdx.x] = threadIdx.x;
}

__global__ void spread(const short *a, short *b)
{
	b[blockIdx.x * 32 + threadIdx.x] = a[blockIdx.x * 32 + threadIdx.x];
}

int main()
{
	short *a, *b;

	must(cudaMalloc(&a, 8 * 32 * sizeof(short)));
	must(cudaMalloc(&b, 8 * 32 * sizeof(short)));

	fill<<<1, 8 * 32>>>(a);
	spread<<<8, 32>>>(a, b);
	return finish();
}
