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
// Without optimisation as well, where header functions are inlined in clones alone; labels and lines aside.
// RUN: %plain -O0 -g --cuda-device-only -S %s -o %t.plain.ptx
// RUN: %trace gpu -O0 -g --cuda-device-only -S %s -o %t.traced.ptx
// RUN: %dump | FileCheck %s --check-prefix=SITE
// RUN: awk -f %S/Inputs/functions.awk %t.plain.ptx > %t.plain
// RUN: awk -f %S/Inputs/functions.awk %t.traced.ptx > %t.traced
// RUN: diff %t.plain %t.traced
// RUN: FileCheck %s --check-prefix=O0 < %t.traced
// RUN: %trace gpu -O0 -g --cuda-device-only -emit-llvm -c %s -o %t.bc
// RUN: opt -passes=verify -disable-output %t.bc 2>&1 | count 0
// O0: _Z5countPii(
// O0: call{{.*}}atomicAdd
// O0: .entry _Z8countingPii(
// O0: call{{.*}}atomicMax
// SITE-DAG: pristine.cu:[[#@LINE+10]]
// SITE-DAG: pristine.cu:[[#@LINE+10]]
__device__ __noinline__ int device(int *p, int i) { return p[i] + 1; }
__global__ void kernel(int *p, int *q, int n)
{
	__shared__ int s[64];
	for (int i = 0; i < n; i++)
		p[i * 32 + threadIdx.x] = device(q, i) + s[i];
}
__global__ void copy(float4 *p, float4 *q) { p[threadIdx.x] = q[threadIdx.x]; }
__device__ int count(int *p, int n) { return atomicAdd(p, n); }
__global__ void counting(int *p, int n) { p[1] = count(p, n) + atomicMax(p, n); }
