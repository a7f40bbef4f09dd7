// Vectors, volatile accesses, the read-only path and cache operators are one access each, of the kind and width that the hardware sees.
// construct: descriptor 1 of the thesis: load
// construct: descriptor 2 of the thesis: store
// construct: vector types
// construct: volatile accesses
// construct: __ldg and ld.global.nc
// construct: loads with cache operators
// construct: stores with cache operators
// construct: memcpy of a short known size
// construct: aggregates by value
// RUN: %trace gpu -O1 -c %s -o %t.o
// RUN: %dump | FileCheck %s
#include <cuda_fp16.h>
struct Pair {
	int a;
	float b;
};
__global__ void vectors(float2 *a, int4 *b, double4 *c)
{
	a[0] = make_float2(1, 2);
	b[0] = make_int4(1, 2, 3, 4);
	c[0].x = c[1].x;
}
__global__ void kinds(volatile int *v, __half2 *h, const int *p)
{
	v[0] = __ldg(p) + __ldcg(p + 1) + __ldcs(p + 2) + __ldcv(p + 3);
	__stcg(h, __ldca(h + 1));
	__stcs(h + 2, __ldlu(h + 3));
	__stwb(h + 4, __ldg(h + 5));
	__stwt(h + 6, __ldcv(h + 7));
	asm volatile("ld.global.nc.L1::evict_last.v2.u64 {%0, %1}, [%2];" : "=l"(((long *)p)[0]), "=l"(((long *)p)[1]) : "l"(p));
}
__global__ void aggregate(Pair *to, const Pair *from) { *to = *from; }
// CHECK: global store 8 bytes float32 x 2 {{.*}} kernel 0
// CHECK-NEXT: {{site [0-9]+}} global store 16 bytes integer32 x 4 {{.*}} kernel 0
// CHECK-NEXT: {{site [0-9]+}} global load 8 bytes float64 x 1 {{.*}} kernel 0
// CHECK-NEXT: {{site [0-9]+}} global store 8 bytes float64 x 1 {{.*}} kernel 0
// CHECK-NEXT: {{site [0-9]+}} global load 4 bytes integer32 x 1 {{.*}} kernel 1
// CHECK-NEXT: {{site [0-9]+}} global load 4 bytes integer32 x 1 {{.*}} kernel 1
// CHECK-NEXT: {{site [0-9]+}} global load 4 bytes integer32 x 1 {{.*}} kernel 1
// CHECK-NEXT: {{site [0-9]+}} global load 4 bytes integer32 x 1 {{.*}} kernel 1
// CHECK-NEXT: {{site [0-9]+}} global store 4 bytes integer32 x 1 {{.*}} kernel 1 volatile
// CHECK-NEXT: {{site [0-9]+}} global load 4 bytes integer32 x 1 {{.*}} kernel 1
// CHECK-NEXT: {{site [0-9]+}} global store 4 bytes integer32 x 1 {{.*}} kernel 1
// CHECK-COUNT-6: global {{load|store}} 4 bytes integer32 x 1 {{.*}} kernel 1
// CHECK-NEXT: {{site [0-9]+}} global load 16 bytes integer64 x 2 {{.*}} kernel 1
// CHECK: global load 8 bytes {{.*}} kernel 2
// CHECK-NEXT: {{site [0-9]+}} global store 8 bytes {{.*}} kernel 2
// CHECK-NOT: {{skipped|assembly}}
