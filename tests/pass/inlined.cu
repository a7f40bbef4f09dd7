// Sites of inlined functions name the chain of calls, innermost first.
// RUN: %trace cpu -O2 --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s
__device__ int inner(int *p) { return *p; }
__device__ int outer(int *p) { return inner(p + 1); }
__global__ void kernel(int *p) { *p = outer(p + 1); }
// CHECK: site 0 global load {{.*}}inlined.cu:4:39 in _Z6kernelPi {{.*}} <- {{.*}}outer{{.*}} at {{.*}}inlined.cu:5:39 <- {{.*}}kernel{{.*}} at {{.*}}inlined.cu:6:39{{$}}
// CHECK-NEXT: site 1 global store {{.*}}inlined.cu:6:37 in _Z6kernelPi depth 0 kernel 0 variable p{{$}}
// construct: call path of inlined functions
