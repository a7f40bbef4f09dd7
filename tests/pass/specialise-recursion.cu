// Recursion and mutual recursion keep their patterns; the search ends.
// construct: recursion
// construct: mutual recursion
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %trace gpu -O1 -c %s -o %t.o
__device__ __noinline__ int odd(int *p, int n);
__device__ __noinline__ int even(int *p, int n) { return n ? p[n] + 2 * odd(p, n - 1) : 1; }
__device__ __noinline__ int odd(int *p, int n) { return n ? p[n] - 3 * even(p, n - 1) : 0; }
__device__ __noinline__ int swap(int *a, int *b, int n) { return n ? *a + 5 * swap(b, a, n - 1) : 0; }
__global__ void kernel(int *g, int n)
{
	__shared__ int s[2];
	s[threadIdx.x & 1] = n;
	__syncthreads();
	g[threadIdx.x] = even(g, n) + swap(g, s, n);
}
// CHECK: define {{.*}}@__ct__Z6kernelPii(
// CHECK-DAG: call {{.*}}@__ct__Z4evenPii.g_(
// CHECK-DAG: call {{.*}}@__ct__Z4swapPiS_i.ge_(
// CHECK-DAG: define internal {{.*}}@__ct__Z4evenPii.g_(
// CHECK-DAG: define internal {{.*}}@__ct__Z3oddPii.g_(
// CHECK-DAG: define internal {{.*}}@__ct__Z4swapPiS_i.ge_(
// CHECK-DAG: define internal {{.*}}@__ct__Z4swapPiS_i.eg_(
