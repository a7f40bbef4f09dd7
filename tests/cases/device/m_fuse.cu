// SPDX-License-Identifier: Apache-2.0
// Lines stay as they are:
// clang-format off
// Normalise by the mean: sum -> mean -> apply. apply needs the mean of all CTAs: sum and apply cannot be fused.
// never: fuse the
// never: as an argument
#include "ok.h"
__global__ void square_sum(const float *x, float *y, float *part) { int i = blockIdx.x * blockDim.x + threadIdx.x; float v = x[i] * x[i]; y[i] = v;
	for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
	if (threadIdx.x == 0) part[blockIdx.x] = v; }
__global__ void mean(const float *part, float *m, int n) { float v = part[threadIdx.x]; for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d); if (threadIdx.x == 0) *m = v / n; }
__global__ void apply(float *y, const float *m) { int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] /= *m; }
int main() {
	int n = 1024; float h[1024], *x, *y, *p, *m; for (int i = 0; i < n; i++) h[i] = i * 0.37f;
	OK(cudaMalloc(&x, n * 4)); OK(cudaMalloc(&y, n * 4)); OK(cudaMalloc(&p, 32 * 4)); OK(cudaMalloc(&m, 4));
	OK(cudaMemcpy(x, h, n * 4, cudaMemcpyHostToDevice));
	square_sum<<<32, 32>>>(x, y, p); mean<<<1, 32>>>(p, m, n); apply<<<32, 32>>>(y, m);
	OK(cudaMemcpy(h, y, n * 4, cudaMemcpyDeviceToHost)); printf("%g\n", h[9]); return 0;
}
