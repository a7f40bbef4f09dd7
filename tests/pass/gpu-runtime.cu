// For the GPU the device runtime is linked in, made internal, retargeted; what is unused is dropped.
// RUN: %trace gpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
__device__ __noinline__ int get(int *p) { return p[1]; }
__global__ void kernel(int *p) { *p = get(p); }
// CHECK: @__ct_state = internal {{.*}}addrspace(3) global [1024 x i8]
// CHECK-NOT: ct_unused
// CHECK: define internal {{.*}}@__ct__Z3getPi(
// CHECK-NOT: __ct_access_checked
// CHECK: call void @ct_record(
// CHECK: define internal i32 @__ct_enter({{.*}} [[A:#[0-9]+]]
// CHECK: define internal void @__ct_access(
// CHECK: define internal void @__ct_exit(
// CHECK: define internal void @ct_record(
// CHECK-NOT: ct_never_called
// CHECK: attributes [[A]] = { {{.*}}"target-cpu"="sm_90"
