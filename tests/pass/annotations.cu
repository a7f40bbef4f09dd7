// Annotations of the user's stay; only the plugin's own are taken away.
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
__global__ __attribute__((annotate("mine"))) void kernel(int *p) { *p = 1; }
// CHECK-NOT: ct.kernel
// CHECK: c"mine\00"
// CHECK: @llvm.global.annotations = appending global [1 x
// CHECK-NOT: ct.kernel
