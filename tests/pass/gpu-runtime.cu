// For the GPU the device runtime is linked in, made internal, retargeted; what is unused is dropped.
// RUN: %trace gpu -O1 --cuda-device-only -emit-llvm -S %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=ABSENT < %t.ll
__device__ __noinline__ int get(int *p) { return p[1]; }
__global__ void kernel(int *p) { *p = get(p); }
// CHECK-DAG: @__ct_state = internal {{.*}}addrspace(3) global [1024 x i8]
// CHECK-DAG: define internal {{.*}}@__ct__Z3getPi.g(
// CHECK-DAG: define internal {{.*}}i32 @__ct_enter({{.*}} [[A:#[0-9]+]] {
// CHECK-DAG: define internal void @__ct_access(
// CHECK-DAG: define internal void @__ct_exit(
// CHECK-DAG: define internal void @ct_record(
// CHECK-DAG: attributes [[A]] = { {{.*}}"target-cpu"="sm_90"
// ABSENT-NOT: ct_unused
// ABSENT-NOT: ct_never_called
// ABSENT-NOT: @__ct_access_checked
