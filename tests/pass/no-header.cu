// Without host.h the plugin declares nothing and changes nothing.
// RUN: export CT_TEST_NO_HEADER=1; %trace cpu -O0 --cuda-host-only -emit-llvm -S %s -o - | FileCheck %s
__global__ void kernel(int *p) {}
void launch(int *p) { kernel<<<1, 1>>>(p); }
// CHECK: define {{.*}}@_Z6launchPi(
// CHECK-NOT: __ct_
