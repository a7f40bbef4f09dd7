// Device functions get clones with the state as last parameter; recursion stays in the clone.
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=UNIT
__device__ __noinline__ int pure(int x) { return x * x + 1; }
__device__ __noinline__ int walk(int *log, int n)
{
	log[n] = pure(n);
	if (n % 3)
		return walk(log, n / 2) + walk(log, n - 1);
	return n;
}
__global__ void kernel(int *log) { log[0] = walk(log, 9); }
// CHECK: define {{.*}}@__ct__Z6kernelPi(
// CHECK: [[STATE:%[^ ]+]] = call i32 @__ct_enter(
// CHECK: call void @__ct_event(i32 [[STATE]], i64 0, i32 0)
// CHECK-NEXT: call {{.*}}i32 @__ct__Z4walkPii{{[.a-z_]*}}(ptr {{.*}}, i32 {{.*}}, i32 [[STATE]])
// CHECK-NEXT: call void @__ct_event(i32 [[STATE]], i64 0, i32 1)
// CHECK: define internal {{.*}}i32 @__ct__Z4walkPii{{[.a-z_]*}}(ptr {{[^,]*}}, i32 {{[^,]*}}, i32 [[PASSED:%[^ )]+]])
// CHECK: call {{.*}}i32 @_Z4purei(
// CHECK: call {{.*}}@__ct_access{{[_a-z]*}}(i32 [[PASSED]],
// CHECK: call {{.*}}i32 @__ct__Z4walkPii{{[.a-z_]*}}({{.*}}, i32 [[PASSED]])
// CHECK-NOT: __ct_exit
// CHECK: }
// CHECK-NOT: @__ct__Z4purei
// UNIT: site 0 definite call {{.*}} in _Z6kernelPi depth 0 kernel 0 reason: walk(int*, int)
// UNIT-NEXT: site 1 global store {{.*}} in _Z6kernelPi depth 0 kernel 0 variable log
// UNIT-NEXT: site 2 {{checked|global}} store {{.*}} in _Z4walkPii depth 1
// UNIT-NEXT: site 3 definite call {{.*}} in _Z4walkPii depth 1 {{.*}}reason: walk(int*, int)
