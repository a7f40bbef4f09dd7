// Atomics of 16 to 128 bits, of halves and of small vectors; those without a result are reductions.
// construct: atomics of 64 bits
// construct: atomics of 16 bits
// construct: atomics of 128 bits
// construct: half and half2 atomics
// construct: bfloat16 atomics
// construct: float2 and float4 atomics
// construct: cuda::atomic_ref
// construct: reductions
// RUN: %trace gpu -O2 -c %s -o %t.o
// RUN: %dump | FileCheck %s
// RUN: %trace gpu -O2 -c %s -o %t.o -Xclang -mllvm -Xclang -ct-values
// RUN: %dump | FileCheck %s --check-prefix=VALUES
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void widths(unsigned long long *q, unsigned short *s, __int128 *w)
{
	q[3] = atomicAdd(q, 1ull);
	atomicMax(q + 1, 2ull);
	atomicCAS(s, (unsigned short)0, (unsigned short)1);
	unsigned long long a, b;
	asm volatile("{ .reg .b128 c, v, d; mov.b128 c, {%2, %2}; mov.b128 v, {%3, %3};"
		     " atom.global.relaxed.gpu.cas.b128 d, [%4], c, v; mov.b128 {%0, %1}, d; }"
		     : "=l"(a), "=l"(b) : "l"(1ll), "l"(2ll), "l"(w));
	q[2] = a + b;
}
__global__ void vectors(__half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2, float2 *f2, float4 *f4)
{
	atomicAdd(h, __float2half(1));
	atomicAdd(h2, __floats2half2_rn(1, 2));
	atomicAdd(b, __float2bfloat16(1));
	atomicAdd(b2, __floats2bfloat162_rn(1, 2));
	atomicAdd(f2, make_float2(1, 2));
	atomicAdd(f4, make_float4(1, 2, 3, 4));
	asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(f4), "f"(1.f) : "memory");
}
__global__ void references(int *p)
{
	cuda::atomic_ref<int, cuda::thread_scope_device> r(*p);
	r.fetch_add(1);
	r.store(3, cuda::memory_order_release);
	int e = 4;
	r.compare_exchange_strong(e, r.load(cuda::memory_order_acquire));
}
// CHECK: site 0 global atomic_add 8 bytes integer64 x 1 {{.*}} kernel 0 variable q{{( <-.*)?$}}
// CHECK-NEXT: global store 8 bytes {{.*}} kernel 0
// CHECK-NEXT: global atomic_max 8 bytes integer64 x 1 {{.*}} kernel 0 variable q reduction
// CHECK-NEXT: global atomic_cas 2 bytes integer16 x 1 {{.*}} kernel 0 variable s
// CHECK-NEXT: global atomic_cas 16 bytes integer128 x 1 {{.*}} kernel 0 variable w
// CHECK-NEXT: global store 8 bytes {{.*}} kernel 0
// CHECK-NEXT: global atomic_add 2 bytes float16 x 1 {{.*}} kernel 1 variable h reduction
// CHECK-NEXT: global atomic_add 4 bytes float16 x 2 {{.*}} kernel 1 variable h2 reduction
// CHECK-NEXT: global atomic_add 2 bytes bfloat16 x 1 {{.*}} kernel 1 variable b reduction
// CHECK-NEXT: global atomic_add 4 bytes bfloat16 x 2 {{.*}} kernel 1 variable b2 reduction
// CHECK-NEXT: global atomic_add 8 bytes float32 x 2 {{.*}} kernel 1 variable f2 reduction
// CHECK-NEXT: global atomic_add 16 bytes float32 x 4 {{.*}} kernel 1 variable f4 reduction
// CHECK-NEXT: global atomic_add 16 bytes float32 x 4 {{.*}} kernel 1 variable f4 reduction
// CHECK-NEXT: global atomic_add 4 bytes integer32 x 1 {{.*}} kernel 2 variable p reduction
// CHECK-NEXT: global store 4 bytes integer32 x 1 {{.*}} kernel 2 volatile variable p
// CHECK-NEXT: global load 4 bytes integer32 x 1 {{.*}} kernel 2 volatile variable p
// CHECK-NEXT: global atomic_cas 4 bytes integer32 x 1 {{.*}} kernel 2 variable p
// CHECK-NOT: {{skipped|assembly}}
// VALUES: values
// VALUES-COUNT-4: {{site .*values}}
