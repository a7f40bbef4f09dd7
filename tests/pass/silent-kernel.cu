// A kernel in which nothing is recorded has a clone without hooks, and brings no runtime.
// RUN: %trace gpu -O2 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
__global__ void quiet() {
	__shared__ int s[32];
	s[threadIdx.x] = 1;
	__syncthreads();
	s[31 - threadIdx.x] += s[threadIdx.x];
}
// CHECK-NOT: define {{.*}}ct_
// CHECK: define {{.*}}@__ct__Z5quietv(ptr {{.*}}byval(%struct.ct_launch)
// CHECK-NOT: define {{.*}}ct_
// CHECK-NOT: call {{.*}}@__ct_
