/* SPDX-License-Identifier: Apache-2.0 */
/* Many to one: each CTA leaves a sum, one CTA reads them all. */
#include "run.h"

__global__ void leave(int *sums)
{
	if (threadIdx.x == 0)
		sums[blockIdx.x] = blockIdx.x;
}

__global__ void collect(const int *sums, int *out)
{
	if (threadIdx.x < 6)
		out[threadIdx.x] = sums[threadIdx.x];
}

int main()
{
	int *sums, *out;

	must(cudaMalloc(&sums, 6 * sizeof(int)));
	must(cudaMalloc(&out, 6 * sizeof(int)));

	leave<<<6, 32>>>(sums);
	collect<<<1, 32>>>(sums, out);
	return finish();
}
