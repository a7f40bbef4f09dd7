// Each kernel that other units may name has its own symbol in host code besides clang's; with the plugin's
// nvcc-hidden it is hidden, as are variables, if the source does not say otherwise.
// RUN: %trace gpu -O2 --cuda-device-only -c %s -o %t.cubin
// RUN: %more gpu -O2 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang %t.cubin -emit-llvm -S %s -o - | FileCheck %s --implicit-check-not='internal alias'
// RUN: %more gpu -O2 -fgpu-rdc --cuda-host-only -Xclang -plugin-arg-cuda-trace -Xclang nvcc-hidden -Xclang -fcuda-include-gpubinary -Xclang %t.cubin -emit-llvm -S %s -o - | FileCheck %s --check-prefix=HIDDEN
extern "C" __global__ void plain(int *p) { *p = 1; }
template <typename T> __global__ void scaled(T *p) { *p *= 2; }
static __global__ void internal(int *p) { *p = 1; }
__attribute__((visibility("default"))) __global__ void shown(int *p) { *p = 2; }
__device__ int counter;
int main()
{
	int *p = nullptr;
	scaled<<<1, 1>>>(p);
	internal<<<1, 1>>>(p);
}
// CHECK-DAG: @plain = weak {{.*}}alias void (ptr), ptr @__device_stub__plain
// CHECK-DAG: @_Z6scaledIiEvPT_ = weak_odr {{.*}}alias void (ptr), ptr @_Z21__device_stub__scaledIiEvPT_
// CHECK-DAG: @_Z5shownPi = weak {{(dso_local )?}}alias
// HIDDEN-DAG: @counter = hidden
// HIDDEN-DAG: @plain = weak hidden alias
// HIDDEN-DAG: @_Z6scaledIiEvPT_ = weak_odr hidden alias
// HIDDEN-DAG: @_Z5shownPi = weak {{(dso_local )?}}alias
