/* SPDX-License-Identifier: Apache-2.0 */
/* Three dimensions: each CTA of 2 x 2 x 4 reads from the CTA above it (in z), the top ones from
 * the bottom; those of y = 0 also from x's other side. */
#include "run.h"

__device__ int element(int x, int y, int z)
{
	return ((z * 2 + y) * 2 + x) * 32 + threadIdx.x;
}

__global__ void put(int *a)
{
	a[element(blockIdx.x, blockIdx.y, blockIdx.z)] = 1;
}

__global__ void take(const int *a, int *b)
{
	int x = blockIdx.x, y = blockIdx.y, z = blockIdx.z;
	int sum = a[element(x, y, (z + 1) % 4)];

	if (y == 0 && threadIdx.x < 8)
		sum += a[element(1 - x, y, z)];
	b[element(x, y, z)] = sum;
}

int main()
{
	dim3 grid(2, 2, 4);
	int *a, *b;

	must(cudaMalloc(&a, 16 * 32 * sizeof(int)));
	must(cudaMalloc(&b, 16 * 32 * sizeof(int)));

	put<<<grid, 32>>>(a);
	take<<<grid, 32>>>(a, b);
	return finish();
}
