// -fgpu-rdc: offload entries for the clones; clones of templates and of static kernels stay apart in the
// device link. Kernels of other units, which host code launches, are nothing to device code; which device code
// launches, kernels, whether host code launches them as well or not; a function of the user's whose name is like
// that of the launch launches nothing.
// construct: static kernels of one name, kernels that other units define
// RUN: %trace gpu -O1 -fgpu-rdc --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=DEVICE
// RUN: %trace gpu -O1 -fgpu-rdc -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s
// RUN: %trace gpu -O1 -fgpu-rdc --no-offload-new-driver -c %s -o %t.old.o
// RUN: llvm-nm %t.old.o | FileCheck %s --check-prefix=OLD
template <class T> __global__ void fill(T *p) { *p = T(); }
__global__ void kernel(int *p) { *p = 1; }
static __global__ void own(int *p) { *p = 2; }
__global__ void elsewhere(int *p);
__global__ void child(int *p);
__global__ void both(int *p);
__device__ void function(int *p);
__device__ void myLaunchDevice(void (*f)(int *), int *p);
__global__ void parent(int *p)
{
	child<<<1, 1>>>(p);
	both<<<1, 1>>>(p);
	myLaunchDevice(function, p);
}
extern __device__ int variable;
int main()
{
	fill<<<1, 1>>>(static_cast<int *>(nullptr));
	own<<<1, 1>>>(nullptr);
	elsewhere<<<1, 1>>>(nullptr);
	both<<<1, 1>>>(nullptr);
	return cudaMemcpyToSymbol(variable, "", 1);
}
// DEVICE-NOT: elsewhere
// DEVICE: @__clang_gpu_used_external = internal {{.*}} @variable to ptr)]
// DEVICE-NOT: elsewhere
// DEVICE-DAG: define {{.*}}ptx_kernel void @__ct__Z6kernelPi(
// DEVICE-DAG: define {{.*}}ptx_kernel void @__ct_{{[0-9a-f]+}}__Z4fillIiEvPT_(
// DEVICE-DAG: define {{.*}}ptx_kernel void @__ct_{{[0-9a-f]+}}__ZL3ownPi__intern__
// DEVICE-DAG: declare {{.*}}ptx_kernel void @_Z5childPi(
// DEVICE-DAG: declare {{.*}}ptx_kernel void @_Z4bothPi(
// DEVICE-DAG: declare {{(dso_local )?}}void @_Z8functionPi(
// CHECK-DAG: .offloading.entry._Z6kernelPi
// CHECK-DAG: .offloading.entry.__ct_{{[0-9a-f]+}}__ZL3ownPi__intern__
// CHECK-DAG: .offloading.entry.__ct__Z6kernelPi
// CHECK-DAG: .offloading.entry.__ct_{{[0-9a-f]+}}__Z4fillIiEvPT_
// CHECK-DAG: U __ct_register_kernel
// OLD-DAG: __ct_handle__Z6kernelPi
// OLD-DAG: U __cudaRegisterFunction
