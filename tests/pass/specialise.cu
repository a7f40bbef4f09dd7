// Figure 5.6: a function called with global and shared pointers both ways round is traced per pattern.
// construct: function specialised per pattern of global arguments
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=ABSENT < %t.ll
// RUN: %dump | FileCheck %s --check-prefix=UNIT
// RUN: %trace gpu -O1 -c %s -o %t.o
__device__ __noinline__ void copy(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void kernel(float *global)
{
	__shared__ float shared[32];
	copy(shared, global);
	__syncthreads();
	copy(global, shared);
}
// CHECK: define {{.*}}@__ct__Z6kernelPf(
// CHECK: call void @__ct__Z4copyPfPKf.eg(
// CHECK: call void @__ct__Z4copyPfPKf.ge(
// CHECK: define internal {{.*}}void @__ct__Z4copyPfPKf.eg(
// CHECK: call void @__ct_access(
// CHECK-NOT: call {{.*}}@__ct_access
// CHECK: ret void
// CHECK: define internal {{.*}}void @__ct__Z4copyPfPKf.ge(
// CHECK: call void @__ct_access(
// CHECK-NOT: call {{.*}}@__ct_access
// CHECK: ret void
// ABSENT-NOT: @__ct__Z4copyPfPKf(
// ABSENT-NOT: @__ct_access_checked(i32 %
// UNIT-DAG: global load {{.*}} in _Z4copyPfPKf {{.*}}pattern eg
// UNIT-DAG: global store {{.*}} in _Z4copyPfPKf {{.*}}pattern ge
