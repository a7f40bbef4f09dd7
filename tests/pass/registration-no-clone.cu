// A kernel that has no clone is registered as such.
// RUN: %trace gpu -O2 --cuda-device-only -c %s -o %t.cubin
// RUN: %more gpu -O2 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang %t.cubin -emit-llvm -S %s -o - | FileCheck %s
__global__ void full(int *p)
{
	__shared__ int s[12200];
	s[threadIdx.x] = p[0];
	__syncthreads();
	p[1] = s[3];
}
// CHECK-NOT: __ct_handle
// CHECK: call void @__ct_register_kernel(i64 {{-?[0-9]+}}, ptr {{.*}}, ptr null, ptr {{.*}}, i32 1)
