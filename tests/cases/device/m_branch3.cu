// SPDX-License-Identifier: Apache-2.0
// Lines stay as they are:
// clang-format off
// The right findings were worked out by hand.
#include "ok.h"
__global__ void guard(float *a, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		a[i] *= 2;
}
__global__ void guard2(float *a, int n) {
	int i = threadIdx.x;
	float c = 0;

	if (i >= n)
		return;
	if (a[i] > 0)
		a[i] = c;
}
int main() { float *a; OK(cudaMalloc(&a, 1024)); OK(cudaMemset(a, 0, 1024)); guard<<<2, 64>>>(a, 100); guard2<<<1, 64>>>(a, 50); OK(cudaDeviceSynchronize()); return 0; }
