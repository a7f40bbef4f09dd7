/* SPDX-License-Identifier: Apache-2.0 */
/* Inline PTX: registers, arithmetic with carry, predicates, memory, atomics. */
#include "feature.h"

__global__ void special_registers(unsigned *out)
{
	unsigned lane, tid, mask, warp;

	asm("mov.u32 %0, %%laneid;" : "=r"(lane));
	asm volatile("mov.u32 %0, %%tid.x;" : "=r"(tid));
	asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
	asm("mov.u32 %0, %%ntid.x;" : "=r"(warp));
	out[threadIdx.x] = lane + 100 * tid + 10000 * __popc(mask) + 1000000 * warp;
}

/* 128-bit sum in four words. */
__global__ void carry(unsigned *x)
{
	asm("add.cc.u32 %0, %0, %4;\n\t"
	    "addc.cc.u32 %1, %1, %5;\n\t"
	    "addc.cc.u32 %2, %2, 0;\n\t"
	    "addc.u32 %3, %3, 0;"
	    : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])
	    : "r"(1), "r"(0));
}

__global__ void predicates(const int *in, int *out)
{
	int i = threadIdx.x, v = in[i], r;

	asm("{\n\t"
	    ".reg .pred p, q;\n\t"
	    "setp.gt.s32 p|q, %1, 5;\n\t"
	    "mov.s32 %0, 0;\n\t"
	    "@p add.s32 %0, %1, 100; // larger\n\t"
	    "@q sub.s32 %0, %0, 1;\n\t"
	    "}"
	    : "=&r"(r)
	    : "r"(v));
	asm volatile("{ .reg .pred p; setp.eq.s32 p, %1, 7; @p st.global.s32 [%0+4], 77; }" ::"l"(
			 out + 64 + 2 * i),
		     "r"(v)
		     : "memory");
	out[i] = r;
}

__global__ void bits(unsigned *out, unsigned a, unsigned b, unsigned c)
{
	unsigned long long wide;

	asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(out[0]) : "r"(a), "r"(b), "r"(c));
	asm("prmt.b32 %0, %1, %2, 0x7531;" : "=r"(out[1]) : "r"(a), "r"(b));
	asm("bfe.u32 %0, %1, 8, 12;" : "=r"(out[2]) : "r"(a));
	asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(out[3]) : "r"(a), "r"(b));
	asm("shf.r.clamp.b32 %0, %1, %2, 8;" : "=r"(out[4]) : "r"(a), "r"(b));
	asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(a), "r"(b));
	asm("mov.b64 {%0, %1}, %2;" : "=r"(out[6]), "=r"(out[5]) : "l"(wide));
	asm("bfind.u32 %0, %1;" : "=r"(out[7]) : "r"(a));
	asm("mad.lo.u32 %0, %1, 3, %2;" : "=r"(out[8]) : "r"(a), "r"(b));
	asm("mul.hi.u32 %0, %1, %2;" : "=r"(out[9]) : "r"(a), "r"(b));
	asm("cvt.sat.u8.s32 %0, %1;" : "=r"(out[10]) : "r"(1000));
	asm("bfe.s32 %0, %1, 4, 4;" : "=r"(out[11]) : "r"(0x80));
}

/* Shared addresses as 32-bit numbers, vector accesses. */
__global__ void memory(int *out)
{
	__shared__ __align__(16) int s[128];
	unsigned address = (unsigned)__cvta_generic_to_shared(s) + threadIdx.x * 16;
	int i = threadIdx.x, a, b, old;

	asm volatile("st.shared.v4.s32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(i), "r"(i + 1),
		     "r"(i + 2), "r"(i + 3)
		     : "memory");
	asm volatile("bar.sync 0;" ::: "memory");
	asm volatile("ld.shared.v2.s32 {%0, %1}, [%2+8];" : "=r"(a), "=r"(b) : "r"(address));
	asm volatile("atom.global.add.s32 %0, [%1], %2;"
		     : "=r"(old)
		     : "l"(out + 64), "r"(1)
		     : "memory");
	asm volatile("red.global.max.s32 [%0], %1;" ::"l"(out + 65), "r"(i) : "memory");
	out[i] = a * 1000 + b;
}

__global__ void warp(unsigned *out)
{
	unsigned v, mask, inside;

	asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 1, 31, 0xffffffff;"
		     " selp.u32 %1, 1, 0, p; }"
		     : "=r"(v), "=r"(inside)
		     : "r"(threadIdx.x));
	asm volatile(
	    "{ .reg .pred p; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
	    : "=r"(mask)
	    : "r"(threadIdx.x));
	out[threadIdx.x] = v + 100 * inside + 1000 * mask;
}

__global__ void reals(float *out, float a, float b)
{
	asm("fma.rn.f32 %0, %1, %2, %1;" : "=f"(out[0]) : "f"(a), "f"(b));
	asm("add.rz.f32 %0, %1, %2;" : "=f"(out[1]) : "f"(1.f), "f"(3e-8f));
	asm("add.rp.f32 %0, %1, %2;" : "=f"(out[2]) : "f"(1.f), "f"(3e-8f));
	asm("ex2.approx.f32 %0, %1;" : "=f"(out[3]) : "f"(3.f));
	asm("mul.f32 %0, %1, 0f40490FDB;" : "=f"(out[4]) : "f"(2.f));
	asm("add.sat.f32 %0, %1, %2;" : "=f"(out[5]) : "f"(a), "f"(b));
}

int main()
{
	unsigned *u = device_array<unsigned>(64), words[4] = {~0u, ~0u, ~0u, 5}, h[12];
	int in[32], *din = device_array<int>(32), *out = device_array<int>(128);
	float *f = device_array<float>(6), hf[6];
	unsigned a = 0x12345678, b = 0x9abcdef0, c = 0x0f0f0f0f;

	special_registers<<<1, 64>>>(u);
	check("special registers", all_equal(u, 64, [](size_t i) {
		      return i % 32 + 100 * i + 10000 * (i % 32) + 64000000;
	      }));
	upload(u, words, 4);
	carry<<<1, 1>>>(u);
	check("carry", all_equal(u, 4, [](size_t i) { return i == 3 ? 6 : 0; }));
	for (int i = 0; i < 32; i++)
		in[i] = i;
	upload(din, in, 32);
	predicates<<<1, 32>>>(din, out);
	check("predicates", all_equal(out, 32, [](int i) { return i > 5 ? i + 100 : -1; }));
	check("predicated store",
	      all_equal(out + 64, 64, [](size_t i) { return i == 15 ? 77 : 0; }));
	bits<<<1, 1>>>(u, a, b, c);
	download(h, u, 12);
	check("lop3", h[0] == ((a & b) | (a & c) | (b & c)));
	check("prmt", h[1] == 0x9ade1256);
	check("bit fields", h[2] == (a >> 8 & 0xfff) && h[3] == ((b & ~0xff0u) | (a & 0xff) << 4) &&
				h[11] == (unsigned)-8);
	check("shifts", h[4] == (b << 24 | a >> 8));
	check("packing", h[6] == a && h[5] == b);
	check("integers", h[7] == 28 && h[8] == a * 3 + b &&
			      h[9] == (unsigned)((unsigned long long)a * b >> 32) && h[10] == 255);
	need(cudaMemset(out, 0, 128 * sizeof(int)), "cudaMemset");
	memory<<<1, 32>>>(out);
	check("vector accesses",
	      all_equal(out, 32, [](size_t i) { return (i + 2) * 1000 + i + 3; }));
	check("atom and red", all_equal(out + 64, 2, [](size_t i) { return i ? 31 : 32; }));
	warp<<<1, 32>>>(u);
	check("shuffle and vote",
	      all_equal(u, 32, [](size_t i) { return (i < 31 ? i + 1 + 100 : 31) + 31000; }));
	reals<<<1, 1>>>(f, .75f, .5f);
	download(hf, f, 6);
	check("reals", hf[0] == .75f * .5f + .75f && hf[1] == 1 && hf[2] == 1 + 0x1p-23f &&
			   hf[3] == 8 && hf[4] == 2 * 3.14159274f && hf[5] == 1);
	return finish();
}
