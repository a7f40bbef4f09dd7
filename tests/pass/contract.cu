// A clone rounds as its kernel does: what code generation would fuse within a
// block is fused before the hooks split blocks.
// RUN: %trace gpu -O2 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
__global__ void kernel(float *p, float a, float b, float c) {
  p[0] = a * b + c;
  p[1] = c - a * b;
  p[2] = a * b - c;
}
// CHECK-LABEL: define{{.*}} @_Z6kernelPffff(
// CHECK-COUNT-3: call contract float @llvm.fma.f32
// CHECK-NOT: fadd
// CHECK-LABEL: define{{.*}} @__ct__Z6kernelPffff(
// CHECK-COUNT-3: call contract float @llvm.fma.f32
// CHECK-NOT: fadd
// CHECK: ret void

// RUN: %trace gpu -O2 -ffp-contract=off --cuda-device-only -emit-llvm -S %s -o - | FileCheck --check-prefix=OFF %s
// OFF-NOT: llvm.fma
