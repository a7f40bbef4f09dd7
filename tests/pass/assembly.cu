// Inline PTX that is one load, store or atomic is recorded like an instruction.
// RUN: %trace gpu -O1 -c %s -o %t.o
// RUN: %dump | FileCheck %s
// RUN: %more gpu -O1 --cuda-device-only -emit-llvm -S %s -o - | FileCheck %s --check-prefix=IR
#include <cuda_fp16.h>
__global__ void hints(float *a, const float4 *b)
{
	float4 v = __ldcs(b);
	a[0] = __ldcg(a + 1) + v.x + v.w;
}
__global__ void halves(__half *h) { atomicAdd(h, __float2half(1.f)); }
__global__ void generic(int *p, int n)
{
	__shared__ int s[32];
	int *q = n > 3 ? p : s;
	asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(q), "r"(n) : "memory");
	asm volatile("st.shared.s32 [%0], %1;" ::"r"(n), "r"(n) : "memory");
}
__global__ void offset(int *p, int n, long i)
{
	int a, b;
	asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p st.global.s32 [%0], 1; }" ::"l"(p), "r"(n) : "memory");
	asm volatile("st.global.s32 [%0+4], 1;" ::"l"(p) : "memory");
	asm volatile("st.global.s32 [%0], 1; st.global.s32 [%0], 2;" ::"l"(p) : "memory");
	asm volatile("{\n\t.reg .u64 g;\n\tcvta.to.global.u64 g, %2; // there\n\tadd.s64 g, g, %3;\n\tadd.u64 g, g, 16;\n\t"
		     "ld.volatile.global.v2.s32 {%0, %1}, [g+8];\n\t}" : "=r"(a), "=r"(b) : "l"(p), "l"(i));
	asm volatile("{ .reg .pred q; setp.lt.u32 q, %1, 7; @!q red.add.s32 [%0], 1; }" ::"l"(p), "r"(n) : "memory");
	asm volatile("ld.relaxed.gpu.global.L1::no_allocate.L2::128B.b32 %0, [%1];" : "=r"(a) : "l"(p));
	p[0] = a + b;
}
__global__ void unknown(int *p, int n)
{
	asm volatile("{ .reg .pred q; setp.ge.s32 q, %1, 0; and.pred q, q, q; @q st.global.s32 [%0], 1; }" ::"l"(p), "r"(n) : "memory");
	asm volatile("{ .reg .u64 a; mad.lo.u64 a, %0, 2, 4; st.global.s32 [a], 1; }" ::"l"(p) : "memory");
	asm volatile("{ .reg .pred q;\nloop:\n red.global.add.s32 [%0], 1;\n setp.ne.s32 q, %1, 0;\n @q bra loop; }" ::"l"(p), "r"(n) : "memory");
}
// construct: inline PTX with several statements, predicates, registers and offsets
// construct: inline PTX that is not understood
// CHECK: site 0 global load 16 bytes float32 x 4 {{.*}} kernel 0 variable b <- hints at {{.*}}assembly.cu:8:13
// CHECK-NEXT: site 1 global load 4 bytes float32 {{.*}} kernel 0 variable a
// CHECK-NEXT: site 2 global store 4 bytes
// CHECK-NEXT: site 3 global atomic_add 2 bytes float16 {{.*}} kernel 1 variable h
// CHECK-NEXT: site 4 checked store 4 bytes integer32 {{.*}} kernel 2 volatile{{ *$}}
// CHECK-NEXT: site 5 elsewhere store 4 bytes {{.*}} kernel 2 {{.*}}space shared
// CHECK-NEXT: site 6 global store 4 bytes {{.*}} kernel 3 variable p
// CHECK-NEXT: site 7 global store 4 bytes {{.*}} kernel 3 variable p
// CHECK-NEXT: site 8 global store 4 bytes {{.*}} kernel 3 variable p
// CHECK-NEXT: site 9 global store 4 bytes {{.*}} kernel 3 variable p
// CHECK-NEXT: site 10 global load 8 bytes integer32 x 2 {{.*}} kernel 3 volatile variable p
// CHECK-NEXT: site 11 global atomic_add 4 bytes integer32 {{.*}} kernel 3 variable p reduction
// CHECK-NEXT: site 12 global load 4 bytes integer32 {{.*}} kernel 3 volatile variable p
// CHECK-NEXT: site 13 global store 4 bytes {{.*}} kernel 3 variable p
// CHECK-NEXT: site 14 definite assembly {{.*}} kernel 4 reason: inline assembly: @q st.global.s32 [$0], 1
// CHECK-NEXT: site 15 definite assembly {{.*}} kernel 4 reason: inline assembly: st.global.s32 [a], 1
// CHECK-NEXT: site 16 definite assembly {{.*}} kernel 4 reason: inline assembly: red.global.add.s32 [$0], 1
// CHECK-NEXT: site 17 skipped assembly {{.*}} kernel 4 reason: inline assembly: @q st.global.s32 [$0], 1
// CHECK-NEXT: site 18 skipped assembly {{.*}} kernel 4 reason: inline assembly: st.global.s32 [a], 1
// CHECK-NEXT: site 19 skipped assembly {{.*}} kernel 4 reason: inline assembly: red.global.add.s32 [$0], 1
// CHECK-NOT: site
// IR: define {{.*}}@__ct__Z5hintsPfPK6float4(
// IR: call {{.*}} asm {{.*}}ld.global.cs.v4.f32
// IR-NEXT: ptrtoint
// IR-NEXT: call void @__ct_access(i32 %{{[^,]+}}, i64 0, i64 %{{[^,]+}}, i32 16)
// IR: define {{.*}}@__ct__Z6offsetPiil(
// IR: [[IF:%.*]] = icmp eq i32 {{.*}}, 0
// IR-NEXT: br i1 [[IF]], label %[[NEXT:[^,]+]], label %[[THEN:[^ ,]+]]
// IR: [[THEN]]:
// IR: call void @__ct_access(
// IR-NEXT: br label %[[NEXT]]
// IR: [[NEXT]]:
// IR: call {{.*}} asm {{.*}}@p st.global.s32
// IR: [[A:%.*]] = add i64 {{%2, %.*|%.*, %2}}
// IR-NEXT: [[B:%.*]] = add i64 [[A]], 24
// IR-NEXT: call void @__ct_access(i32 {{.*}}, i64 10, i64 [[B]], i32 8)
