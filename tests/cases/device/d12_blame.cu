// SPDX-License-Identifier: Apache-2.0
// Lines stay as they are:
// clang-format off
// Blame by hand, instructions, every thread the same. w(k): noinline loop of k rounds (k = 1000 unless said). +-1.
// blame: fields o.a 33.3
// blame: fields o.in.b 66.7
// blame: fields o.in.c 33.3
// blame: helper2 out1 25
// blame: helper2 out2 75
// blame: control u 100
//  kernel fields (class member function, struct of structs): o->a = w(1000); o->in.b = w(2000); o->in.c = w(1000)
//     o 100; a 25; in 75; b 50; c 25
//  kernel shared_global: sh = w(1000); glob += w(1000) + sh; out = w(2000)    out 50, glob 50, sh 25
//  kernel control: z = 5; if (w(1000) > 0) u = w(1000);   u 100, z < 0.2
//  kernel helper2: out1 = scale(w(1000)), out2 = scale(w(3000)) where scale is noinline: out1 25, out2 75; w 100 by code
#include "ok.h"
__device__ __noinline__ unsigned w(int k, unsigned x) { for (int i = 0; i < k; i++) x = x * 1664525u + (x >> 9) + 12345u; return x; }
__device__ __noinline__ unsigned scale(unsigned v) { return v * 3 + 1; }
struct Inner { unsigned b, c; };
class Obj { public: unsigned a; Inner in; __device__ void fill(unsigned s) { a = w(1000, s); in.b = w(2000, s); in.c = w(1000, s); } };
__device__ unsigned glob;
__global__ void fields(Obj *o) { o[threadIdx.x].fill(threadIdx.x); }
__global__ void shared_global(unsigned *out) {
	__shared__ unsigned sh[32];
	sh[threadIdx.x] = w(1000, threadIdx.x);
	__syncthreads();
	atomicAdd(&glob, w(1000, 7) + sh[31 - threadIdx.x]);
	out[threadIdx.x] = w(2000, threadIdx.x + 1);
}
__global__ void control(unsigned *z, unsigned *u) {
	z[threadIdx.x] = 5;
	if (w(1000, threadIdx.x + 3) > 0) u[threadIdx.x] = w(1000, threadIdx.x);
}
__global__ void helper2(unsigned *out1, unsigned *out2) {
	out1[threadIdx.x] = scale(w(1000, threadIdx.x));
	out2[threadIdx.x] = scale(w(3000, threadIdx.x));
}
int main() {
	Obj *o; unsigned *a, *b, h[32]; OK(cudaMalloc(&o, 32 * sizeof(Obj))); OK(cudaMalloc(&a, 128)); OK(cudaMalloc(&b, 128));
	OK(cudaMemset(a, 0, 128)); OK(cudaMemset(b, 0, 128));
	fields<<<1, 32>>>(o);
	shared_global<<<1, 32>>>(a);
	control<<<1, 32>>>(a, b);
	helper2<<<1, 32>>>(a, b);
	OK(cudaMemcpy(h, b, 128, cudaMemcpyDeviceToHost)); unsigned s = 0; for (unsigned v : h) s += v; printf("%u\n", s);
	OK(cudaFree(o)); OK(cudaFree(a)); OK(cudaFree(b));
	return 0;
}
