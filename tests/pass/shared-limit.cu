// A kernel whose static shared memory leaves no room for the state has no clone, and says why.
// RUN: %trace gpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=UNIT
__device__ __noinline__ int *tile()
{
	__shared__ int s[48 * 256 - 100];
	return s;
}
__global__ void full(int *p) { tile()[threadIdx.x] = p[0]; }
__global__ void roomy(int *p) { p[0] = 1; }
// CHECK-NOT: @__ct__Z4fullPi
// CHECK: @__ct__Z5roomyPi
// UNIT: kernel _Z4fullPi {{.*}} no clone: uses 48752 bytes of static shared memory; tracing needs 1024 more, and 49152 is the limit
// UNIT: kernel _Z5roomyPi {{.*}}(int * p){{$}}
