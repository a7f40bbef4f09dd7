// Inline PTX that loads, stores, exchanges or reduces, in every order, scope and width, has its kind and width.
// construct: inline PTX ld
// construct: inline PTX st
// construct: inline PTX atom
// construct: inline PTX red
// construct: inline PTX cp.async
// construct: mbarrier
// RUN: %trace gpu -O1 -c %s -o %t.o
// RUN: %dump | FileCheck %s
__global__ void kernel(int *p, float4 *f, int n)
{
	__shared__ unsigned long long barrier;
	__shared__ int4 s[32];
	unsigned b = (unsigned)__cvta_generic_to_shared(&barrier), t = (unsigned)__cvta_generic_to_shared(s);
	int a, c;
	asm volatile("ld.acquire.sys.global.s32 %0, [%1+20];" : "=r"(a) : "l"(p) : "memory");
	asm volatile("st.release.gpu.global.v2.s32 [%0+8], {%1, %1};" ::"l"(p), "r"(a) : "memory");
	asm volatile("atom.acq_rel.cta.global.exch.b32 %0, [%1], %2;" : "=r"(c) : "l"(p), "r"(77) : "memory");
	asm volatile("atom.global.dec.u32 %0, [%1], %2;" : "=r"(c) : "l"(p), "r"(9) : "memory");
	asm volatile("red.relaxed.gpu.global.min.u32 [%0], %1;" ::"l"(p), "r"(c) : "memory");
	asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(p), "r"(c) : "memory");
	asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(f), "f"(1.f) : "memory");
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(t), "l"(f) : "memory");
	asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
	asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(b) : "memory");
}
// CHECK: site 0 global load 4 bytes integer32 x 1 {{.*}} variable p
// CHECK-NEXT: global store 8 bytes integer32 x 2 {{.*}} variable p
// CHECK-NEXT: global atomic_exch 4 bytes integer32 x 1 {{.*}} variable p{{( <-.*)?$}}
// CHECK-NEXT: global atomic_dec 4 bytes integer32 x 1 {{.*}} variable p{{( <-.*)?$}}
// CHECK-NEXT: global atomic_min 4 bytes integer32 x 1 {{.*}} variable p reduction
// CHECK-NEXT: global atomic_add 4 bytes bfloat16 x 2 {{.*}} variable p reduction
// CHECK-NEXT: global atomic_add 16 bytes float32 x 4 {{.*}} variable f reduction
// CHECK-NEXT: global copy_async 16 bytes {{.*}} variable f
// CHECK-NOT: global
