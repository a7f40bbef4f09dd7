// --ct-events=cta: the clone has the CTA clock beside its hooks, and there is a clone of that alone.
// construct: the CTA clock
// RUN: %trace cpu -Xclang -mllvm -Xclang -ct-events=cta -O1 --cuda-device-only -emit-llvm -S %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: %more gpu -O2 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang %t.ll -emit-llvm -S %s -o - | FileCheck %s --check-prefix=HOST
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: __ct_cta
// OFF-NOT: @__ctc_
__device__ __noinline__ void leave(int *p)
{
	if (*p)
		asm volatile("exit;");
}
__global__ void kernel(int *p)
{
	if (*p == 3)
		return;
	leave(p);
	*p = 1;
}
// The pristine kernel stays as it is.
// CHECK-LABEL: define {{.*}}@_Z6kernelPi(
// CHECK-NOT: __ct
// CHECK: }

// CHECK-LABEL: define {{.*}}@__ct__Z6kernelPi(
// CHECK: [[BEGIN:%[^ ]+]] = call i64 @__ct_cta_begin()
// CHECK: call i32 @__ct_enter(
// CHECK: call void @__ct_exit(
// CHECK: icmp ne i64 [[TIMES:%[^ ,]+]], 0
// CHECK: call void @__ct_cta_end(i64 [[TIMES]], i64 [[BEGIN]])

// The clone of an instrumented function that may end threads, with two more parameters.
// CHECK-LABEL: define internal void @__ctc___ct__Z5leavePi
// CHECK-SAME: i64 [[TIMES:%[^ ,]+]], i64 [[BEGIN:%[^ ,)]+]])
// CHECK: call void @__ct_exit(
// CHECK: call void @__ct_cta_end(i64 [[TIMES]], i64 [[BEGIN]])
// CHECK: asm sideeffect "exit;"

// CHECK-LABEL: define {{.*}}@__ctc__Z6kernelPi(
// CHECK-SAME: ptr byval(%struct.ct_launch)
// CHECK-NOT: @__ct_enter
// CHECK: [[BEGIN:%[^ ]+]] = call i64 @__ct_cta_begin()
// CHECK-NOT: icmp ne i64
// CHECK: call void @__ctc__Z5leavePi(ptr {{[^,]*}}, i64 {{[^,]*}}, i64 [[BEGIN]])
// CHECK-NOT: icmp ne i64
// CHECK: call void @__ct_cta_end(i64 %{{[^,]*}}, i64 [[BEGIN]])
// CHECK: ret void

// HOST: call void @__ct_register_kernel(
// HOST: call {{.*}}@__cudaRegisterFunction({{.*}}@__ct_handle_clock._Z6kernelPi
// HOST: call void @__ct_register_clock(ptr {{[^,]*}}, ptr @__ct_handle_clock._Z6kernelPi)
