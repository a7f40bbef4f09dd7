// With hundreds of sites the accesses' inlined path is left out; with few it is not.
// RUN: %trace cpu -O2 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
__global__ void many(volatile int *p)
{
#pragma unroll
	for (int i = 0; i < 300; i++)
		p[2 * i] = i;
}
// CHECK-LABEL: define {{.*}}@__ct__Z4manyPVi(
// CHECK-NOT: call void @__ct_access(
// CHECK-COUNT-300: call void @__ct_access_far(
// CHECK: ret void

__global__ void few(volatile int *p)
{
#pragma unroll
	for (int i = 0; i < 200; i++)
		p[2 * i] = i;
}
// CHECK-LABEL: define {{.*}}@__ct__Z3fewPVi(
// CHECK-COUNT-200: call void @__ct_access(
// CHECK-NOT: __ct_access_far
// CHECK: ret void
