/* SPDX-License-Identifier: Apache-2.0 */
/* Several writers of one byte: CTAs count into the same eight bins, one CTA reads them. */
#include "run.h"

__global__ void clear(int *bins)
{
	bins[threadIdx.x] = 0;
}

__global__ void count(int *bins)
{
	atomicAdd(&bins[threadIdx.x % 8], 1);
}

__global__ void read(const int *bins, int *out)
{
	out[threadIdx.x] = bins[threadIdx.x];
}

int main()
{
	int *bins, *out;

	must(cudaMalloc(&bins, 8 * sizeof(int)));
	must(cudaMalloc(&out, 8 * sizeof(int)));

	clear<<<1, 8>>>(bins);
	count<<<4, 32>>>(bins);
	read<<<1, 8>>>(bins, out);
	return finish();
}
