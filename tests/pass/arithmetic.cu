// Inline PTX that touches no memory is no site: video instructions, conversions, votes, mma.
// construct: SIMD video instructions
// construct: fp8 conversions
// construct: elect and bit masks
// construct: movmatrix
// RUN: %trace gpu -O1 -c %s -o %t.o
// RUN: %dump | FileCheck %s
__global__ void kernel(unsigned *out, unsigned a, unsigned b, float f)
{
	unsigned short e4;
	unsigned leader, elected, mask, moved;
	asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %1;" : "=h"(e4) : "f"(f));
	asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }"
		     : "=r"(leader), "=r"(elected));
	asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(mask) : "r"(a), "r"(b));
	asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(a));
	out[0] = __vadd4(a, b) + __vabsdiffu4(a, b) + e4 + leader + elected + mask + moved;
}
// CHECK: site 0 global store 4 bytes {{.*}} variable out
// CHECK-NOT: site
