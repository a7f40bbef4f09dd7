// Instructions that end the thread are preceded by the exit hook, in device functions as well.
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
__device__ __noinline__ void leave(int n) { if (n > 3) asm volatile("{ .reg .pred p;\n\t exit; }"); }
__global__ void kernel(int n, int *p)
{
	if (threadIdx.x > n)
		__nvvm_exit();
	leave(n);
	p[0] = 1;
}
// CHECK: define {{.*}}@__ct__Z6kerneliPi(
// CHECK: call void @__ct_exit(i32 [[STATE:%[^ )]+]])
// CHECK-NEXT: call void @llvm.nvvm.exit()
// CHECK: call void @__ct__Z5leavei({{.*}}, i32 [[STATE]])
// CHECK: call void @__ct_exit(i32 [[STATE]])
// CHECK-NEXT: ret void
// CHECK: define internal void @__ct__Z5leavei(
// CHECK: call void @__ct_exit(
// CHECK-NEXT: call void asm sideeffect
