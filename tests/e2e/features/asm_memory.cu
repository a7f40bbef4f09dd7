/* SPDX-License-Identifier: Apache-2.0 */
// construct: inline PTX ld
// construct: inline PTX st
// construct: inline PTX atom
// construct: inline PTX red
// construct: bfloat16 atomics
// construct: atomics of 128 bits
// construct: float2 and float4 atomics
#include "feature.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void reductions(unsigned *u, float *f, unsigned *pairs)
{
	unsigned one = __half_as_ushort(__float2half(1)) * 0x10001u, old;
	unsigned brain = __bfloat16_as_ushort(__float2bfloat16(2)) * 0x10001u;

	asm volatile("red.global.add.u32 [%0], 1;" ::"l"(u) : "memory");
	asm volatile("red.relaxed.gpu.global.min.u32 [%0], %1;" ::"l"(u + 1), "r"(threadIdx.x)
		     : "memory");
	asm volatile("red.global.or.b32 [%0], %1;" ::"l"(u + 2), "r"(1u << threadIdx.x) : "memory");
	asm volatile("red.global.inc.u32 [%0], %1;" ::"l"(u + 3), "r"(9) : "memory");
	asm volatile("atom.global.dec.u32 %0, [%1], %2;"
		     : "=r"(old)
		     : "l"(u + 4), "r"(9)
		     : "memory");
	asm volatile("atom.acq_rel.cta.global.exch.b32 %0, [%1], %2;"
		     : "=r"(old)
		     : "l"(u + 5), "r"(77)
		     : "memory");
	asm volatile("atom.global.and.b32 %0, [%1], %2;"
		     : "=r"(old)
		     : "l"(u + 6), "r"(~(1u << threadIdx.x))
		     : "memory");
	asm volatile("red.global.add.f32 [%0], %1;" ::"l"(f), "f"(.5f) : "memory");
	asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %2, %2};" ::"l"(f + 4), "f"(1.f),
		     "f"(2.f)
		     : "memory");
	asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(pairs), "r"(one) : "memory");
	asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(pairs + 1), "r"(brain)
		     : "memory");
	asm volatile("red.global.add.noftz.v2.f16x2 [%0], {%1, %1};" ::"l"(pairs + 2), "r"(one)
		     : "memory");
}

__global__ void wide(unsigned long long *w, unsigned long long *out)
{
	unsigned long long low, high;

	asm volatile("{ .reg .b128 a, b, d;\n\t"
		     "mov.b128 a, {%3, %4};\n\t"
		     "mov.b128 b, {%5, %6};\n\t"
		     "atom.global.cas.b128 d, [%2], a, b;\n\t"
		     "mov.b128 {%0, %1}, d; }"
		     : "=l"(low), "=l"(high)
		     : "l"(w), "l"(1ull), "l"(2ull), "l"(30ull), "l"(40ull)
		     : "memory");
	out[0] = low;
	out[1] = high;
	asm volatile("{ .reg .b128 a, d;\n\t"
		     "mov.b128 a, {%3, %4};\n\t"
		     "atom.global.exch.b128 d, [%2], a;\n\t"
		     "mov.b128 {%0, %1}, d; }"
		     : "=l"(low), "=l"(high)
		     : "l"(w), "l"(5ull), "l"(6ull)
		     : "memory");
	out[2] = low;
	out[3] = high;
}

__global__ void loads(const int *in, int *out)
{
	int a, b, c, d;
	short s;
	unsigned char byte;

	asm volatile("ld.global.nc.L1::no_allocate.v4.s32 {%0, %1, %2, %3}, [%4];"
		     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
		     : "l"(in));
	asm volatile("st.global.cs.v2.s32 [%0], {%1, %2};" ::"l"(out), "r"(a + b), "r"(c + d)
		     : "memory");
	asm volatile("ld.relaxed.gpu.global.s32 %0, [%1+16];" : "=r"(a) : "l"(in) : "memory");
	asm volatile("ld.acquire.sys.global.s32 %0, [%1+%2];"
		     : "=r"(b)
		     : "l"(in), "n"(20)
		     : "memory");
	asm volatile("ld.volatile.global.s32 %0, [%1+24];" : "=r"(c) : "l"(in) : "memory");
	asm volatile("st.release.gpu.global.s32 [%0+8], %1;" ::"l"(out), "r"(a + b + c) : "memory");
	asm volatile("ld.global.cg.s16 %0, [%1+28];" : "=h"(s) : "l"(in));
	asm volatile("{ .reg .u16 t; ld.global.lu.u8 t, [%1+28]; cvt.u32.u16 %0, t; }"
		     : "=r"(d)
		     : "l"(in));
	byte = d;
	asm volatile("st.wt.global.s32 [%0], %1;" ::"l"(out + 3), "r"(s + byte) : "memory");
	asm volatile("st.global.L1::no_allocate.s32 [%0+-4], %1;" ::"l"(out + 5), "r"(123)
		     : "memory");
}

int main()
{
	unsigned h[8] = {0, 99, 0, 0, 5, 1, ~0u, 0}, *u = device_array<unsigned>(8);
	unsigned *pairs = device_array<unsigned>(4), words[4];
	float *f = device_array<float>(8), hf[8];
	unsigned long long *w = device_array<unsigned long long>(2),
			   *wout = device_array<unsigned long long>(4), hw[2] = {1, 2};
	int *in = device_array<int>(8), *out = device_array<int>(5), numbers[8];

	upload(u, h, 8);
	reductions<<<1, 32>>>(u, f, pairs);
	check("integers", all_equal(u, 7, [](int i) {
		      static const unsigned expected[] = {32, 0, ~0u, 2, 3, 77, 0};

		      return expected[i];
	      }));
	download(hf, f, 8);
	check("floats", hf[0] == 16 && hf[4] == 32 && hf[5] == 32 && hf[6] == 64 && hf[7] == 64);
	download(words, pairs, 4);
	check("f16x2", words[0] == 0x50005000 && words[2] == 0x50005000 && words[3] == 0x50005000);
	check("bf16x2", words[1] == 0x42804280);
	upload(w, hw, 2);
	wide<<<1, 1>>>(w, wout);
	check("b128", all_equal(wout, 4,
				[](int i) {
					static const int expected[] = {1, 2, 30, 40};

					return expected[i];
				}) &&
			  all_equal(w, 2, [](int i) { return 5 + i; }));
	for (int i = 0; i < 8; i++)
		numbers[i] = i + 1;
	numbers[7] = -2;
	upload(in, numbers, 8);
	loads<<<1, 1>>>(in, out);
	check("loads and stores", all_equal(out, 5, [](int i) {
		      static const int expected[] = {3, 7, 18, 252, 123};

		      return expected[i];
	      }));
	return finish();
}
