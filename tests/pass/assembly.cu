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
__global__ void offset(int *p, int n)
{
	asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p st.global.s32 [%0], 1; }" ::"l"(p), "r"(n) : "memory");
	asm volatile("st.global.s32 [%0+4], 1;" ::"l"(p) : "memory");
	asm volatile("st.global.s32 [%0], 1; st.global.s32 [%0], 2;" ::"l"(p) : "memory");
}
// CHECK: site 0 global load 16 bytes float32 x 4 {{.*}} kernel 0 variable b <- hints at {{.*}}assembly.cu:8:13
// CHECK-NEXT: site 1 global load 4 bytes float32 {{.*}} kernel 0 variable a
// CHECK-NEXT: site 2 global store 4 bytes
// CHECK-NEXT: site 3 global atomic_add 2 bytes float16 {{.*}} kernel 1 variable h
// CHECK-NEXT: site 4 checked store 4 bytes integer32 {{.*}} kernel 2{{$}}
// CHECK-NEXT: site 5 skipped {{.*}} kernel 3 reason: inline assembly: st.global.s32
// CHECK-NEXT: site 6 skipped {{.*}} kernel 3 reason: inline assembly: st.global.s32
// CHECK-NEXT: site 7 skipped {{.*}} kernel 3 reason: inline assembly: st.global.s32
// CHECK-NOT: site
// IR: define {{.*}}@__ct__Z5hintsPfPK6float4(
// IR: call void @__ct_access(i32 %{{[^,]+}}, i64 0, i64 %{{[^,]+}}, i32 16)
// IR-NEXT: call {{.*}} asm {{.*}}ld.global.cs.v4.f32
