// A clone asks at its entry whether its CTA is recorded. If not, it runs the pristine body, which
// shares its variables with the instrumented one and calls no hook.
// construct: CTAs that block sampling leaves out
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o %t.ll
// RUN: FileCheck %s <%t.ll
// RUN: FileCheck %s --check-prefix=NONE <%t.ll
// RUN: %trace cpu -O0 -Xclang -disable-O0-optnone --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=O0
// RUN: %trace gpu -g -O2 --cuda-device-only -emit-llvm -c %s -o %t.bc
// RUN: opt -passes=verify -disable-output %t.bc 2>&1 | count 0
// RUN: %trace gpu -O2 -c %s -o %t.o
// RUN: %trace cpu -O1 -Xclang -mllvm -Xclang -ct-pristine-body=false --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: __ct_block_sampled
// Nor is it copied where it calls what is long: ptxas would compile that once more.
// RUN: %trace cpu -O1 -DLONG --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
struct arguments {
	float *data;
	int order[4];
};
__device__ __noinline__ float twice(const float *p)
{
	float x = *p;
#ifdef LONG
#pragma unroll
	for (int i = 0; i < 600; i++)
		asm volatile("add.f32 %0, %0, %0;" : "+f"(x));
#endif
	return 2 * x;
}
__global__ void kernel(arguments a, int n)
{
	__shared__ float line[32];
	float local[4];
	for (int i = 0; i < 4; i++)
		local[a.order[i]] = a.data[i];
	line[threadIdx.x] = twice(a.data + threadIdx.x);
	__syncthreads();
	if (threadIdx.x > 30)
		return;
	a.data[threadIdx.x] = line[31 - threadIdx.x] + local[n];
}
// CHECK: define {{.*}}@__ct__Z6kernel9argumentsi(ptr {{.*}}[[A:%[^ ,]+]], i32 {{[^,]*}}, ptr byval(%struct.ct_launch) align 8 [[LAUNCH:%[^ )]+]])
// CHECK: [[LOCAL:%[^ ]+]] = alloca [4 x float]
// CHECK-NOT: alloca
// CHECK: [[SAMPLED:%[^ ]+]] = call i32 @__ct_block_sampled(i32 %{{[^ ]+}}, i32 %{{[^ ]+}})
// CHECK: br i1 %{{[^ ]+}}, label %[[ONE:[^ ,]+]], label %[[OTHER:[^ ,]+]]
// CHECK: call i32 @__ct_enter(
// CHECK: call {{.*}}float @__ct__Z5twicePKf
// CHECK: call void @llvm.nvvm.barrier
// CHECK: call void @__ct_exit(
// CHECK-NEXT: ret void
// CHECK: [[OTHER]]:
// CHECK-NOT: @__ct_
// CHECK: call void @llvm.lifetime.start{{.*}}[[LOCAL]])
// CHECK-NOT: @__ct_
// CHECK: call {{.*}}float @_Z5twicePKf
// CHECK-NOT: @__ct_
// CHECK: call void @llvm.nvvm.barrier
// CHECK-NOT: @__ct_
// CHECK: ret void
// CHECK-NEXT: }

// A kernel that records nothing needs no second body.
__global__ void nothing(int n)
{
	__shared__ int line[32];
	line[threadIdx.x] = n;
	__syncthreads();
}
// NONE: define {{.*}}@__ct__Z7nothingi(
// NONE-NOT: __ct_block_sampled
// NONE: {{^}}}

// O0: define {{.*}}@__ct__Z6kernel9argumentsi(
// O0: alloca [4 x float]
// O0-NOT: alloca [4 x float]
// O0: call i32 @__ct_block_sampled(
// O0-NOT: alloca
// O0: {{^}}}
