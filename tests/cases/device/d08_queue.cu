// SPDX-License-Identifier: Apache-2.0
// Lines stay as they are:
// clang-format off
// Compaction of 4096 ints through a queue: each thread that keeps its item takes a place by atomicAdd (result used).
// judged: contended-atomics
//  each: contention = kept lanes of a warp = 16 (every second item): 128 requests, 2048 lanes at one address.
//  aggregated: one lane of a warp: 128 requests, 1 lane; must not be called "few lanes: idle" nonsense nor contended in the warp.
#include "ok.h"
#include <vector>
__device__ int tail;
__global__ void each(const int *in, int *queue) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
	if (v & 1) queue[atomicAdd(&tail, 1)] = v;                      // EACH // has contended-atomics
}
__global__ void aggregated(const int *in, int *queue) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], lane = threadIdx.x % 32;
	unsigned m = __ballot_sync(~0u, v & 1); int base = 0;
	if (lane == 0) base = atomicAdd(&tail, __popc(m));              // ONCE
	base = __shfl_sync(~0u, base, 0);
	if (v & 1) queue[base + __popc(m & ((1u << lane) - 1))] = v;
}
int main() {
	int n = 4096; std::vector<int> h(n), o(n); for (int i = 0; i < n; i++) h[i] = i;
	int *a, *q; OK(cudaMalloc(&a, n * 4)); OK(cudaMalloc(&q, n * 4));
	OK(cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice));
	int bad = 0;
	for (int k = 0; k < 2; k++) {
		int zero = 0, t; OK(cudaMemcpyToSymbol(tail, &zero, 4));
		if (k == 0) each<<<n / 256, 256>>>(a, q); else aggregated<<<n / 256, 256>>>(a, q);
		OK(cudaMemcpyFromSymbol(&t, tail, 4));
		OK(cudaMemcpy(o.data(), q, t * 4, cudaMemcpyDeviceToHost));
		long s = 0; for (int i = 0; i < t; i++) s += o[i];
		bad += t != n / 2 || s != (long)n * n / 4;
	}
	printf("%s\n", bad ? "WRONG" : "ok");
	OK(cudaFree(a)); OK(cudaFree(q));
	return bad != 0;
}
