// A kernel gets a clone with struct ct_launch behind its parameters, which calls every hook.
// RUN: %trace cpu -Xclang -mllvm -Xclang -ct-groups=off -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %dump | FileCheck %s --check-prefix=UNIT
__global__ void scale(float *data, float factor)
{
	data[threadIdx.x] *= factor;
}
// CHECK: %struct.ct_launch = type { i64, i32, i32, i32, i32, i64, i64, i64 }
// CHECK: define {{.*}}ptx_kernel void @_Z5scalePff(ptr {{[^,]*}}, float {{[^,]*}})
// CHECK-NOT: __ct_
// CHECK: ret void
// CHECK: define {{.*}}ptx_kernel void @__ct__Z5scalePff(ptr {{[^,]*}}, float {{[^,]*}}, ptr byval(%struct.ct_launch) align 8 %{{[^ )]*}})
// CHECK: [[STATE:%[^ ]+]] = call i32 @__ct_enter(i64 %{{[^ ]+}}, i32 %{{[^ ]+}}, i32 %{{[^ ]+}}, i32 %{{[^ ]+}}, i32 %{{[^ ]+}}) [[HOOK:#[0-9]+]]
// CHECK: load float, ptr addrspace(1) [[P:%[^ ,]+]]
// CHECK-NEXT: [[ADDRESS:%[^ ]+]] = ptrtoint ptr addrspace(1) [[P]] to i64
// CHECK-NEXT: call void @__ct_access(i32 [[STATE]], i64 0, i64 [[ADDRESS]], i32 4) [[HOOK]]
// CHECK: call void @__ct_access(i32 [[STATE]], i64 1, i64 %{{[^ ]+}}, i32 4) [[HOOK]]
// CHECK-NEXT: store float
// CHECK-NEXT: call void @__ct_exit(i32 [[STATE]]) [[HOOK]]
// CHECK-NEXT: ret void
// CHECK: attributes [[HOOK]] = { convergent nounwind }
// UNIT: unit {{[0-9a-f]+}} sm_90 {{.*}}clone.cu
// UNIT-NEXT: kernel _Z5scalePff "scale" at {{.*}}clone.cu:4:17 (float * data, float factor)
// UNIT-NEXT: site 0 global load 4 bytes float32 x 1 at {{.*}}clone.cu:6:20 in _Z5scalePff depth 0 kernel 0 variable data
// UNIT-NEXT: site 1 global store 4 bytes float32 x 1 at {{.*}}clone.cu:6:20 in _Z5scalePff depth 0 kernel 0 variable data
// UNIT-NOT: site
