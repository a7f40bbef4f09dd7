// Calls of other units go to their clones; those of the CUDA runtime stay.
// construct: device function of another translation unit
// construct: printf
// construct: __device__ and __constant__ variables of another translation unit
// RUN: %trace cpu -O1 -fgpu-rdc --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=IR
// RUN: %dump | FileCheck %s
#include <cstdio>
extern __device__ int elsewhere(int *p);
__global__ void kernel(int *p)
{
	printf("%d\n", p[0]);
	int *q = static_cast<int *>(malloc(4));
	free(q);
	p[1] = elsewhere(p);
}
extern __device__ int weights[8];
extern __constant__ int offset[8];
__global__ void variables(int *p, int i) { p[i] = weights[i] + offset[i]; }
// IR: define {{.*}}@__ct__Z6kernelPi(
// IR: [[STATE:%[^ ]+]] = call i32 @__ct_enter(
// IR: call {{.*}}i32 @__ct__Z9elsewherePi(ptr {{.*}}, i32 [[STATE]])
// IR: define weak {{.*}}i32 @__ct__Z9elsewherePi(ptr {{.*}}[[P:%[^ ,]+]], i32 {{.*}})
// IR-NEXT: [[R:%[^ ]+]] = call {{.*}}i32 @_Z9elsewherePi(ptr {{.*}}[[P]])
// IR-NEXT: ret i32 [[R]]
// CHECK: site 0 global load
// CHECK-NEXT: site 1 definite call {{.*}} reason: elsewhere(int*)
// CHECK-NEXT: site 2 global store
// CHECK: global load 4 bytes {{.*}} kernel 1 variable weights
// CHECK-NEXT: global store 4 bytes {{.*}} kernel 1 variable p
// CHECK-NOT: definite
// CHECK: elsewhere load 4 bytes {{.*}} kernel 1 variable offset space constant
