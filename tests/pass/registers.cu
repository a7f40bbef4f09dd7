// Clones have as many registers as their kernels seem to need, more with values; bounds of the program stay.
// RUN: %trace gpu -O2 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %trace gpu -O2 -Xclang -mllvm -Xclang -ct-registers=off --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// RUN: %trace gpu -O2 -Xclang -mllvm -Xclang -ct-values --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=VALUES
// OFF-NOT: nvvm.maxnreg

// So many values are alive at its barrier.
template <int Count> __device__ void reverse(float *p) {
  float v[Count];
#pragma unroll
  for (int i = 0; i < Count; i++)
    v[i] = p[i * 32 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < Count; i++)
    p[i * 32 + threadIdx.x] = v[Count - 1 - i] * v[i];
}

__device__ __noinline__ float other(float *p) { return p[1]; }

// CHECK-DAG: @__ct__Z8straightPf({{.*}} [[STRAIGHT:#[0-9]+]]
// CHECK-DAG: attributes [[STRAIGHT]] = {{.*}}"nvvm.maxnreg"="32"
// VALUES-DAG: @__ct__Z8straightPf({{.*}} [[STRAIGHT:#[0-9]+]]
// VALUES-DAG: attributes [[STRAIGHT]] = {{.*}}"nvvm.maxnreg"="40"
__global__ void straight(float *p) { p[threadIdx.x] = 1; }

// CHECK-DAG: @__ct__Z6loopedPfS_i({{.*}} [[LOOPED:#[0-9]+]]
// CHECK-DAG: attributes [[LOOPED]] = {{.*}}"nvvm.maxnreg"="40"
// VALUES-DAG: @__ct__Z6loopedPfS_i({{.*}} [[LOOPED:#[0-9]+]]
// VALUES-DAG: attributes [[LOOPED]] = {{.*}}"nvvm.maxnreg"="48"
__global__ void looped(float *p, float *q, int n) {
  for (int i = 0; q[i] > n; i++)
    p[i] = q[i];
}

// CHECK-DAG: @__ct__Z4widePf({{.*}} [[WIDE:#[0-9]+]]
// CHECK-DAG: attributes [[WIDE]] = {{.*}}"nvvm.maxnreg"="48"
// VALUES-DAG: @__ct__Z4widePf({{.*}} [[WIDE:#[0-9]+]]
// VALUES-DAG: attributes [[WIDE]] = {{.*}}"nvvm.maxnreg"="56"
__global__ void wide(float *p) { reverse<32>(p); }

// As many as a clone that may have any block size can have.
// CHECK-DAG: @__ct__Z5widerPf({{.*}} [[WIDER:#[0-9]+]]
// CHECK-DAG: attributes [[WIDER]] = {{.*}}"nvvm.maxnreg"="64" "nvvm.maxntid"="1024"
__global__ void wider(float *p) { reverse<64>(p); }

// Launch bounds, or calls that decide: there is no bound of ours.
// CHECK-DAG: @__ct__Z10wide_boundPf({{.*}} [[WIDE_BOUND:#[0-9]+]]
// CHECK-DAG: attributes [[WIDE_BOUND]] = {{.*}}"no-trapping-math"="true" "nvvm.maxntid"="64"
__global__ void __launch_bounds__(64) wide_bound(float *p) { reverse<64>(p); }

// CHECK-DAG: @__ct__Z5boundPf({{.*}} [[BOUND:#[0-9]+]]
// CHECK-DAG: attributes [[BOUND]] = {{.*}}"no-trapping-math"="true" "nvvm.maxntid"="64" "nvvm.minctasm"="4"
__global__ void __launch_bounds__(64, 4) bound(float *p) { p[threadIdx.x] = 1; }

// CHECK-DAG: @__ct__Z5callsPf({{.*}} [[CALLS:#[0-9]+]]
// CHECK-DAG: attributes [[CALLS]] = {{.*}}"no-trapping-math"="true" "nvvm.maxntid"="1024"
__global__ void calls(float *p) { *p = other(p); }
