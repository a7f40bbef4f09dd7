// A site that cannot be instrumented is a skipped one with a reason, never nothing.
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s
__device__ int (*function)(int);
__global__ void indirect(int *out) { out[0] = function(3); }
__global__ void assembly(int *p) { asm volatile("tensormap.replace.tile.rank.global.b1024.b32 [%0], 1;" ::"l"(p) : "memory"); }
__global__ void shared_assembly(unsigned p) { asm volatile("st.shared.u32 [%0], 1;" ::"r"(p) : "memory"); }
// CHECK: skipped {{.*}} kernel 0 reason: indirect call
// CHECK-NEXT: definite assembly {{.*}} kernel 1 reason: inline assembly: tensormap.replace.tile.rank.global.b1024.b32 [$0], 1
// CHECK-NEXT: skipped assembly {{.*}} kernel 1 reason: inline assembly: tensormap.replace.tile.rank.global.b1024.b32 [$0], 1
// CHECK-NEXT: elsewhere store {{.*}} kernel 2
// CHECK-NOT: site
