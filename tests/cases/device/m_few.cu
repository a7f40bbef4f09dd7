// SPDX-License-Identifier: Apache-2.0
// Lines stay as they are:
// clang-format off
// Four coefficients, read by all threads; and an interleaved array of which every second double is read.
// never: few values
// never: is never read
// reported: r is read in part
#include "ok.h"
__global__ void poly(float *y, const float *c, const double *re_im) { int i = blockIdx.x * blockDim.x + threadIdx.x; float x = y[i]; y[i] = ((c[3] * x + c[2]) * x + c[1]) * x + c[0] + (float)re_im[2 * i]; }
int main() {
	int n = 4096; static float h[4096]; static double z[8192]; float c[4] = {1.1f, 2.7f, 3.3f, 4.9f}, *y, *d; double *r; for (int i = 0; i < n; i++) h[i] = i * 0.37f; for (int i = 0; i < 2 * n; i++) z[i] = i / 3.0;
	OK(cudaMalloc(&y, n * 4)); OK(cudaMalloc(&d, 16)); OK(cudaMalloc(&r, 16 * n));
	OK(cudaMemcpy(y, h, n * 4, cudaMemcpyHostToDevice)); OK(cudaMemcpy(d, c, 16, cudaMemcpyHostToDevice)); OK(cudaMemcpy(r, z, 16 * n, cudaMemcpyHostToDevice));
	poly<<<n / 128, 128>>>(y, d, r);
	OK(cudaMemcpy(h, y, n * 4, cudaMemcpyDeviceToHost)); printf("%g\n", h[9]); return 0;
}
