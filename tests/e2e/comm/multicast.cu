/* SPDX-License-Identifier: Apache-2.0 */
/* One to many, the same bytes: eight CTAs read all that one wrote. */
#include "run.h"

__global__ void fill(double *a)
{
	a[threadIdx.x] = threadIdx.x;
}

__global__ void everyone(const double *a, double *b)
{
	b[blockIdx.x * 32 + threadIdx.x] = a[threadIdx.x];
}

int main()
{
	double *a, *b;

	must(cudaMalloc(&a, 32 * sizeof(double)));
	must(cudaMalloc(&b, 8 * 32 * sizeof(double)));

	fill<<<1, 32>>>(a);
	everyone<<<8, 32>>>(a, b);
	return finish();
}
