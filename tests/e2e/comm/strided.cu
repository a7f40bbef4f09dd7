/* SPDX-License-Identifier: Apache-2.0 */
/* Strides: columns are read of what was written in rows. */
#include "run.h"

__global__ void put(short *a)
{
	a[blockIdx.x * 64 + threadIdx.x] = 1;
}

/* CTA c reads column c of 32 rows of four elements, and then element 200 */
__global__ void take(const short *a, short *b)
{
	short last = 0;

	if (threadIdx.x == 0)
		last = a[200];
	b[blockIdx.x * 32 + threadIdx.x] = a[threadIdx.x * 4 + blockIdx.x] + last;
}

int main()
{
	short *a, *b;

	must(cudaMalloc(&a, 4 * 64 * sizeof(short)));
	must(cudaMalloc(&b, 4 * 32 * sizeof(short)));

	put<<<4, 64>>>(a);
	take<<<4, 32>>>(a, b);
	return finish();
}
