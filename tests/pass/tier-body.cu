// Launches of the tier that reduces on the device run a body whose hooks are that tier's own.
// RUN: %trace gpu -O2 --cuda-device-only -emit-llvm -S %s -o %t.counts.ll
// RUN: FileCheck %s --check-prefixes=CHECK,COUNTS <%t.counts.ll
// RUN: %trace gpu -O2 -Xclang -mllvm -Xclang -ct-values --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefixes=CHECK,VALUES
// RUN: %trace gpu -g -O2 --cuda-device-only -emit-llvm -c %s -o %t.bc
// RUN: opt -passes=verify -disable-output %t.bc 2>&1 | count 0
// RUN: %trace gpu -O2 -Xclang -mllvm -Xclang -ct-values -c %s -o %t.o
// RUN: %trace cpu -O2 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %trace gpu -O0 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=NONE
// Other calls stay the hook of all tiers but for who asks: here where accesses of a group are not
// at the group's distances.
// RUN: %trace gpu -O2 -DGROUP --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=STAYS
// RUN: %trace gpu -O2 -DGROUP -Xclang -mllvm -Xclang -ct-share=apart --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OWN
// In a kernel of more than 8 hooks they are called, but for who asks otherwise.
// RUN: %trace gpu -O2 -DMANY --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=OWN
// RUN: %trace gpu -O2 -DMANY -Xclang -mllvm -Xclang -ct-share=off --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=INLINE
// A clone with states of its own enters with these.
// RUN: %trace gpu -O2 -DMANY -fgpu-rdc --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=RDC
// RUN: %trace gpu -O2 -DMANY -fgpu-rdc -Xclang -mllvm -Xclang -ct-values --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=RDC-VALUES
// RDC: call i32 @__ct_tier_enter_far({{.*}} i32 ptrtoint (ptr addrspace(3) @ct_states
// RDC-VALUES: call i32 @__ct_values_enter_far({{.*}} i32 ptrtoint (ptr addrspace(3) @ct_states
// INLINE: call i32 @__ct_tier_enter(
// INLINE-NOT: @__ct_counts_access_called(
// STAYS: call i32 @__ct_tier_enter(
// STAYS: call void @__ct_access_far(
// STAYS-NOT: @__ct_counts_access_called(
// OWN: call i32 @__ct_tier_enter(
// OWN: call void @__ct_counts_access_called(
// Functions that the pristine kernel calls may have 500 instructions; its clone with hooks then has more.
// RUN: %trace gpu -O2 -DLENGTH=498 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefixes=CHECK,COUNTS
// RUN: %trace gpu -O2 -DLENGTH=499 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=NONE
#ifdef GROUP
__global__ void grouped(float *a, int n, unsigned w)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float s = a[i * w] + a[i * w + w] * 2 + a[i * w + 7];
	if (n)
		a[0] = s;
}
#endif
#ifdef MANY
__global__ void many(volatile int *p)
{
#pragma unroll
	for (int i = 0; i < 9; i++)
		p[i] = i;
}
#endif
// NONE-NOT: __ct_{{tier|values}}_
__device__ __noinline__ void put(float *p, float x)
{
#ifdef LENGTH
#pragma unroll
	for (int i = 0; i < LENGTH; i++)
		asm volatile("add.f32 %0, %0, %0;" : "+f"(x));
#endif
	*p = x;
}
__global__ void kernel(float *a, const float *b, const int *from, int n)
{
	if (threadIdx.x < n)
		a[threadIdx.x] = b[from[threadIdx.x]];
	__syncthreads();
	put(a + n, 1);
}
// 7: in a graph, counts, values.
// CHECK: define {{.*}}@__ct__Z6kernelPfPKfPKii(
// CHECK: [[ASKED:%[^ ]+]] = and i32 %{{[^ ]+}}, 7
// COUNTS: icmp eq i32 [[ASKED]], 2
// VALUES: icmp eq i32 [[ASKED]], 6
// CHECK: br i1 %{{[^ ]+}}, label %[[TIER:[^ ,]+]], label %{{[^ ]+}}
// The body of all tiers.
// CHECK: call i32 @__ct_enter(
// CHECK-NOT: __ct_{{tier|values}}_
// COUNTS-COUNT-3: call void @__ct_access(
// VALUES-COUNT-3: call void @__ct_value(
// CHECK: call void @__ct_exit(
// That of one tier; what it calls is given the same state.
// CHECK: {{^}}[[TIER]]:
// COUNTS: [[STATE:%[^ ]+]] = {{.*}}call i32 @__ct_tier_enter(
// VALUES: [[STATE:%[^ ]+]] = {{.*}}call i32 @__ct_values_enter(
// COUNTS-COUNT-3: call void @__ct_counts_access(i32 [[STATE]], i64
// VALUES-COUNT-3: call void @__ct_values_value(i32 [[STATE]], i64
// CHECK-NOT: call {{.*}}@__ct_{{access|value|exit}}
// CHECK: call void @__ct__Z3putPff{{.*}}, i32 [[STATE]])
// CHECK-NOT: __ct_exit
// The pristine one.
// CHECK: call void @llvm.nvvm.barrier
// CHECK-NOT: call {{.*}}@__ct_
// CHECK: {{^}}}
// Functions serve all bodies.
// CHECK: define {{.*}}@__ct__Z3putPff
// COUNTS: call void @__ct_access(
// VALUES: call void @__ct_value(
