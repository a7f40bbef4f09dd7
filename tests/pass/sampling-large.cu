// A kernel of more than 4000 instructions has no second body: its code would take long to generate.
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o %t.ll
// RUN: FileCheck %s <%t.ll
#define FOUR(x) x x x x
#define MANY(x) FOUR(FOUR(FOUR(FOUR(x))))
__global__ void large(volatile int *p) { FOUR(MANY(p[0] += p[1]; p[2] += p[3]; p[4] ^= p[5];)) }
__global__ void small(volatile int *p) { FOUR(p[0] += p[1];) }
// CHECK: define {{.*}}@__ct__Z5largePVi(
// CHECK-NOT: __ct_block_sampled
// CHECK: define {{.*}}@__ct__Z5smallPVi(
// CHECK: __ct_block_sampled
