// Indirect calls ask a resolver for the clone, and call the function itself if it has none.
// construct: call through a function pointer
// construct: table of function pointers
// construct: function pointer in constant memory
// construct: function pointer that the host passes
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=UNIT
// RUN: %trace gpu -O1 -c %s -o %t.o
// RUN: %trace gpu -O0 -c %s -o %t.0.o
typedef int (*function)(int *);
__device__ int first(int *p) { return p[0]; }
__device__ int second(int *p) { return p[1]; }
__device__ int none(int *) { return 7; }
__device__ int unrelated(int *p, int) { return p[2]; }
__device__ function table[] = {first, none};
__constant__ function fixed = second;
__global__ void kernel(int *p, int i, function given) { p[3] = table[i](p) + fixed(p) + given(p); }
// CHECK: define {{.*}}@__ct__Z6kernelPiiPFiS_E(
// CHECK: [[STATE:%[^ ]+]] = call i32 @__ct_enter(
// CHECK: [[F:%[^ ]+]] = load ptr
// CHECK: call void @__ct_event(i32 [[STATE]], i64 {{[0-9]+}}, i32 0)
// CHECK-NEXT: [[CLONE:%[^ ]+]] = call ptr @__ct_resolve(ptr [[F]])
// CHECK-NEXT: [[HAS:%[^ ]+]] = icmp ne ptr [[CLONE]], null
// CHECK-NEXT: br i1 [[HAS]], label %[[THEN:[^ ]+]], label %[[ELSE:[^ ]+]]
// CHECK: call {{.*}}i32 [[CLONE]](ptr {{.*}}, i32 [[STATE]])
// CHECK: call {{.*}}i32 [[F]](ptr
// CHECK: phi i32
// CHECK-NEXT: call void @__ct_event(i32 [[STATE]], i64 {{[0-9]+}}, i32 1)
// CHECK: define internal ptr @__ct_resolve(ptr [[P:%[^ )]+]])
// CHECK-DAG: icmp eq ptr [[P]], @_Z5firstPi
// CHECK-DAG: icmp eq ptr [[P]], @_Z6secondPi
// CHECK-NOT: _Z4nonePi
// CHECK-NOT: _Z9unrelated
// CHECK: ret ptr
// UNIT: definite call {{.*}} reason: indirect call
