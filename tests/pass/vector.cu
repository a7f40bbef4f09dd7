// Neighbouring accesses are merged before they are recorded, as code generation merges them.
// RUN: %trace cpu -Xclang -mllvm -Xclang -ct-groups=off -O2 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=UNIT
__global__ void kernel(float4 *p)
{
	float4 v = p[threadIdx.x];
	p[threadIdx.x] = make_float4(v.x + 1, v.y + 2, v.z + 3, v.w + 4);
}
// CHECK: define {{.*}}@__ct__Z6kernelP6float4(
// CHECK: load <4 x float>
// CHECK-NEXT: ptrtoint
// CHECK-NEXT: call void @__ct_access(i32 {{.*}}, i64 0, i64 {{.*}}, i32 16)
// CHECK: call void @__ct_access(i32 {{.*}}, i64 1, i64 {{.*}}, i32 16)
// CHECK-NEXT: store <4 x float>
// UNIT: site 0 global load 16 bytes float32 x 4
// UNIT-NEXT: site 1 global store 16 bytes float32 x 4
// UNIT-NOT: site
