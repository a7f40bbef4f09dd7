// SPDX-License-Identifier: Apache-2.0
// Lines stay as they are:
// clang-format off
// The right findings were worked out by hand.
// never: rop the stores
#include "ok.h"
__global__ void scale(const float *x, float *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = 2 * x[i]; }
int main() {
	int n = 2048; float *x, *y; OK(cudaMallocManaged(&x, n * 4)); OK(cudaMallocManaged(&y, n * 4));
	for (int i = 0; i < n; i++) x[i] = i * 0.7f;
	scale<<<n / 128, 128>>>(x, y);
	OK(cudaDeviceSynchronize());
	double s = 0; for (int i = 0; i < n; i++) s += y[i];
	printf("%.2f\n", s); OK(cudaFree(x)); OK(cudaFree(y)); return 0;
}
