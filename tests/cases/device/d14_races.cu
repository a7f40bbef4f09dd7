// SPDX-License-Identifier: Apache-2.0
// Lines stay as they are:
// clang-format off
// Races and non-races, one launch each, 2 CTAs of 64.
// judged: race, same-value-race
//  lost:     h[v[i]]++ without atomics                      RACE (several CTAs store the same address)
//  missing:  shared tile, read neighbour warp's part without a barrier    RACE (shared)
//  flags:    all threads store found = 1                    same value, harmless
//  halves:   shared tile with barriers, ping-pong           no race
//  warpsync: exchange inside a warp by __syncwarp           no race
//  disjoint: char stores side by side in a word             no race
//  spin:     last CTA done pattern (threadfence + atomic)   must not be claimed
#include "ok.h"
#include <vector>
constexpr int T = 64, G = 2, n = T * G;
__global__ void lost(const int *v, int *h) { int i = blockIdx.x * T + threadIdx.x; h[v[i]]++; }                         // LOST // has race: atomicAdd
__global__ void missing(const int *in, int *out) { __shared__ int t[T]; t[threadIdx.x] = in[blockIdx.x * T + threadIdx.x]; // has race: __syncthreads()
	out[blockIdx.x * T + threadIdx.x] = t[(threadIdx.x + 32) % T]; }                                                // MISSING
__global__ void flags(const int *in, int *found) { if (in[blockIdx.x * T + threadIdx.x] >= 0) *found = 1; }             // FLAGS // has same-value-race
__global__ void halves(const int *in, int *out) {
	__shared__ int a[T], b[T]; int t = threadIdx.x; a[t] = in[blockIdx.x * T + t];
	for (int k = 0; k < 4; k++) { __syncthreads(); b[t] = a[(t + 32) % T]; __syncthreads(); a[t] = b[(t + 1) % T]; }
	out[blockIdx.x * T + t] = a[t];
}
__global__ void warpsync(const int *in, int *out) { __shared__ int a[T]; int t = threadIdx.x; a[t] = in[blockIdx.x * T + t]; __syncwarp(); out[blockIdx.x * T + t] = a[t ^ 1]; }
__global__ void disjoint(const int *in, char *out) { int i = blockIdx.x * T + threadIdx.x; out[(i % 2) * T + i / 2] = (char)in[i]; }
__device__ unsigned done;
__global__ void last(const int *in, int *part, int *out) {
	__shared__ bool is_last; if (threadIdx.x == 0) { part[blockIdx.x] = in[blockIdx.x * T]; __threadfence(); is_last = atomicAdd(&done, 1) == gridDim.x - 1; }
	__syncthreads();
	if (is_last && threadIdx.x == 0) { int s = 0; for (unsigned b = 0; b < gridDim.x; b++) s += ((volatile int *)part)[b]; *out = s; }
}
int main() {
	std::vector<int> v(n); for (int i = 0; i < n; i++) v[i] = i % 4;
	int *a, *h, *o; char *c; OK(cudaMalloc(&a, n * 4)); OK(cudaMalloc(&h, 64)); OK(cudaMalloc(&o, n * 4)); OK(cudaMalloc(&c, n));
	OK(cudaMemcpy(a, v.data(), n * 4, cudaMemcpyHostToDevice)); OK(cudaMemset(h, 0, 64));
	lost<<<G, T>>>(a, h); missing<<<G, T>>>(a, o); flags<<<G, T>>>(a, h + 8); halves<<<G, T>>>(a, o); warpsync<<<G, T>>>(a, o); disjoint<<<G, T>>>(a, c); last<<<G, T>>>(a, h, o);
	OK(cudaDeviceSynchronize()); puts("ok");
	return 0;
}
