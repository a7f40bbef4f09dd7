/* SPDX-License-Identifier: Apache-2.0 */
/* Partial overlaps: CTAs write 25 single bytes each, others read them in fours, across borders. */
#include "run.h"

__global__ void put(char *a)
{
	if (threadIdx.x < 25)
		a[blockIdx.x * 25 + threadIdx.x] = threadIdx.x;
}

/* CTA 0: ints 0 to 12, CTA 1: 13 to 24 */
__global__ void take(const int *a, int *b)
{
	int i = blockIdx.x * 13 + threadIdx.x;

	if (threadIdx.x < 13 && i < 25)
		b[i] = a[i];
}

int main()
{
	char *a;
	int *b;

	must(cudaMalloc(&a, 4 * 25 * sizeof(char)));
	must(cudaMalloc(&b, 25 * sizeof(int)));

	put<<<4, 32>>>(a);
	take<<<2, 32>>>(reinterpret_cast<int *>(a), b);
	return finish();
}
