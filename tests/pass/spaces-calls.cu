// Pointers through calls: returns, recursion, contexts (seed 001, section 5.3, Figure 5.6), device heap.
// construct: pointer returned by a device function
// construct: recursion
// construct: device heap
// construct: function specialised per pattern of global arguments
// RUN: %trace cpu -O1 -fno-unroll-loops --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s
#include <new>
__noinline__ __device__ void copy(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x]; }
__noinline__ __device__ float *at(float *base, int i)
{
	asm volatile("");
	return i > 8 ? base + i : base;
}
__noinline__ __device__ float *walk(float *a, float *b, int n)
{
	asm volatile("");
	return n ? walk(b + 1, a, n - 1) : a;
}
// CHECK: kernel _Z9figure5_6Pf
__global__ void figure5_6(float *gx)
{
	__shared__ float sx[64];
	copy(gx, sx);
	copy(sx, gx);
}
// CHECK: global store 4 bytes {{.*}} in _Z7returnsPfi depth 0 kernel [[#]] variable g
// CHECK: checked store 4 bytes {{.*}} in _Z5mixedPfi depth 0 kernel [[#]]{{$}}
// CHECK: global load 4 bytes {{.*}} in _Z4heapPii depth 0 kernel
// CHECK: global store 4 bytes {{.*}} in _Z4copyPfPKf {{.*}} pattern ge
// CHECK: elsewhere load 4 bytes {{.*}} in _Z4copyPfPKf {{.*}} pattern ge
// CHECK: global load 4 bytes {{.*}} in _Z4copyPfPKf {{.*}} pattern eg
// CHECK: elsewhere store 4 bytes {{.*}} in _Z4copyPfPKf {{.*}} pattern eg
__global__ void returns(float *g, int n)
{
	__shared__ float s[64];
	*at(g, n) = 1;
	*at(s, n) = 2;
	*walk(s, s + 1, n) = 3;
	g[n] = s[n];
}
__global__ void mixed(float *g, int n)
{
	__shared__ float s[64];
	*walk(g, s, n) = 4;
}
__global__ void heap(int *out, int n)
{
	int *cells = (int *)malloc(n * sizeof(int));
	int *more = new int[n];
	if (!cells || !more)
		return;
	cells[n - 1] = n;
	more[n - 1] = *out;
	*out = cells[n - 1] + more[n - 1];
}
