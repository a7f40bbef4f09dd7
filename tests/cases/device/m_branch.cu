// SPDX-License-Identifier: Apache-2.0
// Lines stay as they are:
// clang-format off
// The right findings were worked out by hand.
#include "ok.h"
__global__ void k(int *a, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;

	int c = a[x];

	if (threadIdx.x > 15)
		c += a[x + n];
	if (c > n)
		c -= a[x + 2 * n];
	a[x] = c;
}
int main() { int *a; OK(cudaMalloc(&a, 3 * 128 * 4)); OK(cudaMemset(a, 0, 3 * 128 * 4)); k<<<1, 128>>>(a, 128); OK(cudaDeviceSynchronize()); OK(cudaFree(a)); return 0; }
