// The host registers kernels that print or assert, directly or in what they call; others it does not.
// RUN: %trace gpu -O1 --cuda-device-only -c %s -o %t.cubin
// RUN: %more gpu -O1 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang %t.cubin -emit-llvm -S %s -o - | FileCheck %s
#include <cassert>
#include <cstdio>
__device__ __noinline__ void say(int i) { printf("%d\n", i); }
__global__ void prints(int n) { if (n) say(n); }
__global__ void asserts(int n) { assert(n); }
__global__ void traps(int n) { if (n) __trap(); }
__global__ void silent(int *p) { *p = 1; }
// CHECK-NOT: @__ct_register_effects({{.*}}silent
// CHECK: call void @__ct_register_effects(ptr {{.*}}prints{{.*}}, i32 1)
// CHECK: call void @__ct_register_effects(ptr {{.*}}asserts{{.*}}, i32 2)
// CHECK: call void @__ct_register_effects(ptr {{.*}}traps{{.*}}, i32 2)
// CHECK-NOT: @__ct_register_effects({{.*}}silent
