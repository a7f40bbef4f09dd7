// At -O0 every access through a pointer variable is checked, and the code is accepted by ptxas.
// RUN: %trace gpu -O0 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %trace gpu -O0 -c %s -o %t.o
// RUN: %dump | FileCheck %s --check-prefix=UNIT
__device__ void set(int *p) { p[threadIdx.x] = 7; }
__global__ void kernel(int *p) { set(p + 1); }
// CHECK: define {{.*}}@__ct__Z6kernelPi(
// CHECK: call void @__ct__Z3setPi{{(\.g)?}}(ptr {{.*}}, i32 %{{[^ )]+}})
// CHECK: define internal void @__ct__Z3setPi{{(\.g)?}}(
// CHECK: store i32 7
// UNIT: site 0 definite call {{.*}} reason: set(int*)
// UNIT: {{checked|global}} store 4 bytes integer32 x 1 at {{.*}}optnone.cu:5:{{[0-9]+}} in _Z3setPi
// UNIT-NOT: {{site [0-9]+ [^e]}}
