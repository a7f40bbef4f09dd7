// SPDX-License-Identifier: Apache-2.0
// Lines stay as they are:
// clang-format off
// Sum of 4096 ints by 16 CTAs of 256, four ways (blocks, barriers, shared recorded).
// judged: divergent-branches, contended-atomics
//  modulo:  the `if` : 1024 warp executions, 752 divergent. No bank conflicts.
//  strided: shared accesses of the line: 3 x 16 x 12 requests, 3 x 16 x 47 wavefronts (ideal 3 x 16 x 12): up to 8 ways.
//  halving: no bank conflicts; `if`: 1024 executions, 80 divergent.
//  shuffle: no conflicts, no divergence worth a word.
#include "ok.h"
#include <vector>
constexpr int n = 4096, T = 256;
__global__ void modulo(const int *in, int *out) {
	__shared__ int sh[T]; unsigned t = threadIdx.x;
	sh[t] = in[blockIdx.x * T + t];
	__syncthreads();
	for (unsigned s = 1; s < T; s *= 2) {
		if (t % (2 * s) == 0) sh[t] += sh[t + s];               // MODULO // has divergent-branches
		__syncthreads();
	}
	if (t == 0) out[blockIdx.x] = sh[0];
}
__global__ void strided(const int *in, int *out) {
	__shared__ int sh[T]; unsigned t = threadIdx.x;
	sh[t] = in[blockIdx.x * T + t];
	__syncthreads();
	for (unsigned s = 1; s < T; s *= 2) {
		unsigned i = 2 * s * t;
		if (i < T) sh[i] += sh[i + s];                          // STRIDED
		__syncthreads();
	}
	if (t == 0) out[blockIdx.x] = sh[0];
}
__global__ void halving(const int *in, int *out) {
	__shared__ int sh[T]; unsigned t = threadIdx.x;
	sh[t] = in[blockIdx.x * T + t];
	__syncthreads();
	for (unsigned s = T / 2; s > 0; s /= 2) {
		if (t < s) sh[t] += sh[t + s];                          // HALVING
		__syncthreads();
	}
	if (t == 0) out[blockIdx.x] = sh[0];
}
__global__ void shuffle(const int *in, int *out) {
	__shared__ int part[T / 32]; unsigned t = threadIdx.x;
	int v = in[blockIdx.x * T + t];
	for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
	if (t % 32 == 0) part[t / 32] = v;
	__syncthreads();
	if (t < 32) {
		v = t < T / 32 ? part[t] : 0;
		for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
		if (t == 0) out[blockIdx.x] = v;
	}
}
int main() {
	std::vector<int> h(n), o(n / T); long want = 0;
	for (int i = 0; i < n; i++) h[i] = i * 37 % 1001, want += h[i];
	int *a, *b; OK(cudaMalloc(&a, n * 4)); OK(cudaMalloc(&b, n / T * 4));
	OK(cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice));
	int bad = 0;
	for (int k = 0; k < 4; k++) {
		if (k == 0) modulo<<<n / T, T>>>(a, b);
		if (k == 1) strided<<<n / T, T>>>(a, b);
		if (k == 2) halving<<<n / T, T>>>(a, b);
		if (k == 3) shuffle<<<n / T, T>>>(a, b);
		OK(cudaMemcpy(o.data(), b, n / T * 4, cudaMemcpyDeviceToHost));
		long got = 0; for (int v : o) got += v;
		bad += got != want;
	}
	printf("%s\n", bad ? "WRONG" : "ok");
	OK(cudaFree(a)); OK(cudaFree(b));
	return bad != 0;
}
