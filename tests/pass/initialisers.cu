// Kernels and variables are registered where nvcc does it: behind __attribute__((constructor)), before initialisers.
// construct: calls of the runtime and launches in static initialisers and destructors
// RUN: %trace gpu -O2 --cuda-device-only -c %s -o %t.cubin
// RUN: %more gpu -O2 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang %t.cubin -emit-llvm -S %s -o - | FileCheck %s
int early();
__device__ int counter;
int initialised = early();
__attribute__((constructor)) void runs_first() { early(); }
template <typename T> struct Member { static int value; };
template <typename T> int Member<T>::value = early();
int *used = &Member<int>::value;
int main() {}
// CHECK: @llvm.global_ctors = {{.*}}ptr @_Z10runs_firstv{{.*}}ptr @__cuda_module_ctor{{.*}}ptr @__cxx_global_var_init{{.*}}ptr @_GLOBAL__sub_I_
