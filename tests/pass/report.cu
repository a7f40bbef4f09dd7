// The coverage report says for each kernel what is recorded, and what is not and why.
// construct: option --ct-report
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o /dev/null -mllvm -ct-report -mllvm -ct-kernels=either 2>&1 | FileCheck %s
__device__ void outside(int *);
__noinline__ __device__ void mark(int *p)
{
	asm volatile("");
	*p = 1;
}
__global__ void either(int *g, int n)
{
	__shared__ int s[64];
	int *p = n > 3 ? g : s;
	p[threadIdx.x] = 1;
	g[n] = s[n];
	mark(g);
	outside(g);
}
__global__ void skipped(int *g) { *g = 1; }
// CHECK: {{^}}cuda-trace: coverage of {{.*}}report.cu for sm_90{{$}}
// CHECK-NEXT: {{^}}kernel either at {{.*}}report.cu:10
// CHECK-NEXT: {{^}}  operation  space     definite  checked  elsewhere  filtered  not instrumented
// CHECK: {{^}}  load       shared {{ *}}0        0          1         0                 0
// CHECK: {{^}}  store      -      {{ *}}0        1          0         0                 0
// CHECK: {{^}}  store      global {{ *}}1        0          0         0                 0
// CHECK: {{^}}  + device function mark(int*) [g]
// CHECK-NEXT: {{^}}  store      global {{ *}}1        0          0         0                 0
// CHECK-NEXT: {{^}}  total {{.*}} 1{{$}}
// CHECK-NEXT: {{^}}  not instrumented: other at {{.*}}report.cu:17: call of external device function outside
// CHECK-NEXT: {{^}}kernel skipped at {{.*}}report.cu:19
// CHECK-NEXT: {{^}}  no clone: kernel not selected (--ct-kernels)
