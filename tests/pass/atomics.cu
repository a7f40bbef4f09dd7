// Every atomic function is a site with its operation, system and block scope included.
// RUN: %trace cpu -O1 --cuda-device-only -emit-llvm -S %s -o /dev/null
// RUN: %dump | FileCheck %s
__global__ void kernel(int *p, unsigned *u, double *d)
{
	atomicAdd(p, 1);
	atomicSub(p, 2);
	atomicExch(p, 3);
	atomicMin(p, 4);
	atomicMax(u, 5u);
	atomicInc(u, 6);
	atomicDec(u, 7);
	atomicCAS(p, 8, 9);
	atomicAnd(p, 10);
	atomicOr(p, 11);
	atomicXor(p, 12);
	atomicAdd(d, 13.0);
	atomicAdd_system(p, 14);
	atomicAdd_block(p, 15);
}
__global__ void subtract(int *p, int n) { p[1] = __atomic_fetch_sub(p, n, __ATOMIC_RELAXED); }
// CHECK: site 0 global atomic_add 4 bytes integer32
// CHECK-SAME: variable p reduction <- {{.*}}kernel{{.*}} at {{.*}}atomics.cu:6:2
// CHECK-NEXT: site 1 global atomic_{{sub|add}} 4 bytes
// CHECK-NEXT: site 2 global atomic_exch 4 bytes
// CHECK-NEXT: site 3 global atomic_min 4 bytes
// CHECK-NEXT: site 4 global atomic_max 4 bytes {{.*}} variable u
// CHECK-NEXT: site 5 global atomic_inc 4 bytes
// CHECK-NEXT: site 6 global atomic_dec 4 bytes
// CHECK-NEXT: site 7 global atomic_cas 4 bytes
// CHECK-NEXT: site 8 global atomic_and 4 bytes
// CHECK-NEXT: site 9 global atomic_or 4 bytes
// CHECK-NEXT: site 10 global atomic_xor 4 bytes
// CHECK-NEXT: site 11 global atomic_add 8 bytes float64 {{.*}} variable d
// CHECK-NEXT: site 12 global atomic_add 4 bytes {{.*}}atomicAdd_system
// CHECK-NEXT: site 13 global atomic_add 4 bytes {{.*}}atomicAdd_block
// CHECK-NEXT: site 14 global atomic_sub 4 bytes {{.*}} kernel 1 variable p
// CHECK-NEXT: site 15 global store 4 bytes {{.*}} kernel 1
// CHECK-NOT: {{site [0-9]+ [^e]}}
// construct: descriptor 3 of the thesis: atomic add
// construct: descriptor 4 of the thesis: atomic sub
// construct: descriptor 5 of the thesis: atomic exchange
// construct: descriptor 6 of the thesis: atomic min
// construct: descriptor 7 of the thesis: atomic max
// construct: descriptor 8 of the thesis: atomic inc
// construct: descriptor 9 of the thesis: atomic dec
// construct: descriptor 10 of the thesis: atomic compare and swap
// construct: descriptor 11 of the thesis: atomic and
// construct: descriptor 12 of the thesis: atomic or
// construct: descriptor 13 of the thesis: atomic xor
// construct: atomics of block scope
// construct: atomics of device scope
// construct: atomics of system scope
// construct: atomics of 32 bits
// construct: atomics of double
