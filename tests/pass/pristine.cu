// The machine code of pristine kernels and device functions is the same with the pass as without it.
// RUN: %plain -O2 --cuda-device-only -S %s -o %t.plain.ptx
// RUN: %trace gpu -O2 --cuda-device-only -S %s -o %t.traced.ptx
// RUN: sed -n -e '/^\.visible.* _Z/,/^}/p' %t.plain.ptx | sed -e 's/__BB[0-9]*_/__BB_/g;s/\.loc.*//' > %t.plain
// RUN: sed -n -e '/^\.visible.* _Z/,/^}/p' %t.traced.ptx | sed -e 's/__BB[0-9]*_/__BB_/g;s/\.loc.*//' > %t.traced
// RUN: diff %t.plain %t.traced
// RUN: FileCheck %s < %t.traced
// CHECK: _Z6devicePii(
// CHECK: .entry _Z6kernelPiS_i(
// CHECK: .entry _Z4copyP6float4S0_(
__device__ __noinline__ int device(int *p, int i) { return p[i] + 1; }
__global__ void kernel(int *p, int *q, int n)
{
	__shared__ int s[64];
	for (int i = 0; i < n; i++)
		p[i * 32 + threadIdx.x] = device(q, i) + s[i];
}
__global__ void copy(float4 *p, float4 *q) { p[threadIdx.x] = q[threadIdx.x]; }
