// -fgpu-rdc: offload entries for the clones; clones of templates stay apart in the device link.
// RUN: %trace gpu -O1 -fgpu-rdc --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=DEVICE
// RUN: %trace gpu -O1 -fgpu-rdc -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s
// RUN: %trace gpu -O1 -fgpu-rdc --no-offload-new-driver -c %s -o %t.old.o
// RUN: llvm-nm %t.old.o | FileCheck %s --check-prefix=OLD
template <class T> __global__ void fill(T *p) { *p = T(); }
__global__ void kernel(int *p) { *p = 1; }
int main() { fill<<<1, 1>>>(static_cast<int *>(nullptr)); }
// DEVICE: define {{.*}}ptx_kernel void @__ct__Z6kernelPi(
// DEVICE: define {{.*}}ptx_kernel void @__ct_{{[0-9a-f]+}}__Z4fillIiEvPT_(
// CHECK-DAG: .offloading.entry._Z6kernelPi
// CHECK-DAG: .offloading.entry.__ct__Z6kernelPi
// CHECK-DAG: .offloading.entry.__ct_{{[0-9a-f]+}}__Z4fillIiEvPT_
// CHECK-DAG: U __ct_register_kernel
// OLD-DAG: __ct_handle__Z6kernelPi
// OLD-DAG: U __cudaRegisterFunction
