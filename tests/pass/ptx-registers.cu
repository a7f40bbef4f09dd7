// Values that only registers of the text hold: outputs, and what memory holds before a load or after a store.
// The last argument: integers of 4 bytes, loaded or stored; in global memory (1024) where it still holds what a store finds.
// RUN: %trace gpu -O2 -Xclang -mllvm -Xclang -ct-values --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s
// RUN: %trace gpu -O2 -Xclang -mllvm -Xclang -ct-values -Xclang -mllvm -Xclang -ct-spaces=global,shared --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=SHARED

// CHECK-LABEL: define {{.*}}@__ct__Z5outerPji(
// CHECK: [[SUM:%.*]] = {{.*}}asm sideeffect "add.u32 $0, $2, 1; st
// CHECK: call void @__ct_access(i32 {{[^,]+}}, i64 0,
// CHECK: [[WORD:%.*]] = zext i32 [[SUM]] to i64
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 0, i32 0, i32 4, i64 [[WORD]], i64 0, i64 {{[^,]+}}, i32 530)
__global__ void outer(unsigned *p, int i)
{
	unsigned sum;
	asm volatile("add.u32 %0, %2, 1; st.global.u32 [%1], %0;" : "=&r"(sum) : "l"(p), "r"(i) : "memory");
}

// CHECK-LABEL: define {{.*}}@__ct__Z4bothPj(
// CHECK: call i32 @__ct_enter(
// CHECK: [[BEFORE:%.*]] = load i32, ptr
// CHECK: asm sideeffect "{ .reg
// CHECK: call void @__ct_access(i32 {{[^,]+}}, i64 1,
// CHECK: [[WORD:%.*]] = zext i32 [[BEFORE]] to i64
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 1, i32 0, i32 4, i64 [[WORD]], i64 0, i64 {{[^,]+}}, i32 1298)
// CHECK: call void @__ct_access(i32 {{[^,]+}}, i64 2,
// CHECK: [[AFTER:%.*]] = load i32, ptr
// CHECK: [[WORD:%.*]] = zext i32 [[AFTER]] to i64
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 2, i32 0, i32 4, i64 [[WORD]], i64 0, i64 {{[^,]+}}, i32 530)
__global__ void both(unsigned *p)
{
	asm volatile("{ .reg .u32 t; ld.global.u32 t, [%0]; add.u32 t, t, 1; st.global.u32 [%0], t; }" ::"l"(p) : "memory");
}

// Two stores: what the first one stored may be gone.
// CHECK-LABEL: define {{.*}}@__ct__Z3twoPjj(
// CHECK: call void @__ct_access(i32 {{[^,]+}}, i64 3,
// CHECK-NOT: @__ct_value(i32 {{[^,]+}}, i64 3,
// CHECK: call void @__ct_access(i32 {{[^,]+}}, i64 4,
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 4,
__global__ void two(unsigned *p, unsigned i)
{
	asm volatile("{ .reg .u32 t; mul.lo.u32 t, %1, %1; st.global.u32 [%0], t; mul.lo.u32 t, t, t; st.global.u32 [%0], t; }" ::"l"(p), "r"(i) : "memory");
}

// CHECK-LABEL: define {{.*}}@__ct__Z5plainPjj(
// CHECK: call void @__ct_value(i32 {{[^,]+}}, i64 5, i32 0, i32 4, {{.*}}, i32 1554)
// CHECK: asm sideeffect "st.global
__global__ void plain(unsigned *p, unsigned i)
{
	asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(i) : "memory");
}

// Where the source is ignored, which may be no memory at all, zeros are written.
// SHARED-LABEL: define {{.*}}@__ct__Z7ignoredPji(
// SHARED: call void @__ct_value(i32 {{[^,]+}}, i64 6,
// SHARED: call void @__ct_access_space(i32 {{[^,]+}}, i64 7,
// SHARED-NOT: call void @__ct_value(
// SHARED: call void @__ct_exit(
__global__ void ignored(unsigned *p, int i)
{
	__shared__ unsigned s[4];
	asm volatile("{ .reg .pred q; setp.ne.s32 q, %2, 0; cp.async.ca.shared.global [%0], [%1], 4, q; }" ::"r"((unsigned)__cvta_generic_to_shared(s)), "l"(p), "r"(i) : "memory");
}
