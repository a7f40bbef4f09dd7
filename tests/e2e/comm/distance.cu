/* SPDX-License-Identifier: Apache-2.0 */
/* Ping-pong with gaps: what is read was written one, two or three launches before. */
#include "run.h"

__global__ void put(int *a)
{
	a[blockIdx.x * 32 + threadIdx.x] = 1;
}

__global__ void idle()
{
}

/* Reads the other CTA's part of in, writes its own of out. */
__global__ void pass(const int *in, int *out)
{
	out[blockIdx.x * 32 + threadIdx.x] = in[(1 - blockIdx.x) * 32 + threadIdx.x];
}

int main()
{
	int *a, *b;

	must(cudaMalloc(&a, 2 * 32 * sizeof(int)));
	must(cudaMalloc(&b, 2 * 32 * sizeof(int)));

	put<<<2, 32>>>(a);
	pass<<<2, 32>>>(a, b);
	idle<<<1, 32>>>();
	pass<<<2, 32>>>(b, a);
	idle<<<1, 32>>>();
	idle<<<1, 32>>>();
	pass<<<2, 32>>>(a, b);
	pass<<<2, 32>>>(a, b);
	return finish();
}
