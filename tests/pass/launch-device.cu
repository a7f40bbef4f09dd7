// A kernel that launches another is an event that names it.
// construct: dynamic parallelism
// RUN: %trace gpu -O1 -fgpu-rdc --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=IR
// RUN: %dump | FileCheck %s
// RUN: %trace gpu -O0 -fgpu-rdc --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s --check-prefix=O0
template <typename T> __global__ void child(T *p) { p[0] = 1; }
__global__ void parent(int *p) { child<<<1, 2>>>(p); }
// CHECK: definite device_launch {{.*}} reason: void child<int>(int*)
// CHECK-NOT: skipped
// O0: definite device_launch
// IR: define {{.*}}parentPi(ptr {{.*}}byval(%struct.ct_launch)
// IR: call void @__ct_event(
// IR: cudaLaunchDevice
