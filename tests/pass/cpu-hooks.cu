// For the CPU the hooks stay external; no device runtime is read.
// RUN: export CT_TEST_RUNTIME=/nonexistent; %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
__global__ void kernel(int *p) { *p = 1; }
// CHECK-DAG: declare i32 @__ct_enter(i64, i32, i32, i32, i32)
// CHECK-DAG: declare void @__ct_access(i32, i64, i64, i32)
// CHECK-DAG: declare void @__ct_exit(i32)
