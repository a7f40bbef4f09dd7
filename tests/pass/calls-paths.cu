// Calls of clones stand between the two events of their site; a call that does not return has the first only.
// construct: call path of functions that are not inlined
// construct: call of a function that does not return
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=UNIT
__device__ __noinline__ void set(int *p, int v) { *p = v; }
[[noreturn]] __device__ __noinline__ void stop(int *p)
{
	*p = 0;
	asm volatile("exit;");
	__builtin_unreachable();
}
__global__ void kernel(int *p)
{
	set(p, 1);
	if (p[1])
		stop(p);
	set(p + 2, 3);
}
// CHECK: define {{.*}}@__ct__Z6kernelPi(
// CHECK: call void @__ct_event(i32 [[STATE:%[^ ,]+]], i64 0, i32 0)
// CHECK-NEXT: call void @__ct__Z3setPii
// CHECK-NEXT: call void @__ct_event(i32 [[STATE]], i64 0, i32 1)
// CHECK: call void @__ct_event(i32 [[STATE]], i64 {{[0-9]+}}, i32 0)
// CHECK-NEXT: call void @__ct__Z4stopPi
// CHECK-NEXT: unreachable
// UNIT-DAG: site 0 definite call {{.*}} depth 0 kernel 0 reason: set(int*, int)
// UNIT-DAG: definite call {{.*}} reason: stop(int*)
// UNIT-DAG: definite call {{.*}} reason: set(int*, int)
