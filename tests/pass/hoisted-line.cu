// A load that is moved out of a loop has no line of its own, and gets that of what uses it first.
// RUN: %trace cpu -O2 --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s
struct P {
  float x, m;
};
__global__ void kernel(P *__restrict__ p, const float *w, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; k++)
    s += w[k] *
         p[threadIdx.x].m;
  out[threadIdx.x] = s;
}
// CHECK-DAG: site {{[0-9]+}} global load {{.*}}hoisted-line.cu:10:{{[0-9]+}} in _Z6kernelP1PPKfPfi depth 0 {{.*}}
// CHECK-DAG: site {{[0-9]+}} global load {{.*}}hoisted-line.cu:10:{{[0-9]+}} in _Z6kernelP1PPKfPfi depth 1 {{.*}}
// CHECK-DAG: site {{[0-9]+}} global store {{.*}}hoisted-line.cu:12:{{[0-9]+}} in
