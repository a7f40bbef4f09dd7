// Copies of blocks, asynchronous and bulk copies: every byte read from or written to global memory has a site.
// construct: cp.async
// construct: cp.async with a source size
// construct: memcpy of unknown size
// construct: memcpy of a long known size
// construct: memmove of a long known size
// construct: memset of unknown size
// RUN: %trace gpu -O2 --cuda-device-only -S %s -o %t.ptx
// RUN: %dump | FileCheck %s
// RUN: %more gpu -O0 -c %s -o %t.o
// RUN: %more gpu -O2 -c %s -o %t.o
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
#include <cuda_pipeline.h>
struct Block {
	int x[64];
};
__global__ void async(int4 *out, const int4 *in, int n)
{
	__shared__ int4 s[96];
	__pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 16);
	__pipeline_memcpy_async(&s[threadIdx.x + 32], &in[threadIdx.x], 16, 4);
	unsigned to = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x + 64]);
	asm volatile("cp.async.ca.shared.global [%0], [%1+8], %2, %3;" ::"r"(to), "l"(in), "n"(8), "r"(n));
	asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(in));
	__pipeline_commit();
	__pipeline_wait_prior(0);
	out[threadIdx.x] = s[threadIdx.x];
}
__global__ void blocks(char *to, const char *from, int n, Block *a, const Block *b)
{
	memcpy(to, from, n);
	memset(to + 1000, 1, n);
	__builtin_memmove(to + 1, to, 300);
	*a = *b;
}
// CHECK: site 0 global copy_async 16 bytes integer32 x 4 {{.*}} kernel 0 variable in
// CHECK-NEXT: site 1 global copy_async 0 bytes {{.*}} kernel 0 variable in range
// CHECK-NEXT: site 2 global copy_async 0 bytes {{.*}} kernel 0 variable in range
// CHECK-NEXT: site 3 global copy_async 16 bytes {{.*}} kernel 0 variable in
// CHECK: site {{[0-9]+}} global load 1 bytes {{.*}} depth 1 kernel 1 variable from
// CHECK-NEXT: site {{[0-9]+}} global store 1 bytes {{.*}} depth 1 kernel 1 variable to
// CHECK-NEXT: site {{[0-9]+}} global store 1 bytes {{.*}} depth 1 kernel 1 variable to
// CHECK-NEXT: site {{[0-9]+}} global load {{[0-9]+}} bytes {{.*}} depth 1 kernel 1 variable to
// CHECK-NEXT: site {{[0-9]+}} global store {{[0-9]+}} bytes {{.*}} depth 1 kernel 1 variable to
// CHECK: site {{[0-9]+}} global load {{[0-9]+}} bytes {{.*}} depth 1 kernel 1 variable b
// CHECK-NEXT: site {{[0-9]+}} global store {{[0-9]+}} bytes {{.*}} depth 1 kernel 1 variable a
// CHECK-NOT: skipped
// PTX-NOT: call{{.*}}memcpy
