/* SPDX-License-Identifier: Apache-2.0 */
// construct: SIMD video instructions
// construct: fp8 conversions
// construct: elect and bit masks
#include "feature.h"
#include <cuda_fp16.h>

__global__ void video(unsigned *out, unsigned a, unsigned b)
{
	out[0] = __vadd4(a, b);
	out[1] = __vadd2(a, b);
	out[2] = __vaddss2(a, b);
	out[3] = __vsub4(a, b);
	out[4] = __vabsdiffu4(a, b);
	out[5] = __vsadu4(a, b);
	out[6] = __vmaxu4(a, b);
	out[7] = __vmins2(a, b);
	out[8] = __vcmpgtu4(a, b);
	out[9] = __vseteq4(a, a ^ 0xff);
	out[10] = __vavgu4(a, b);
}

__host__ static unsigned lanes(unsigned a, unsigned b, int bits, int (*f)(int, int))
{
	unsigned result = 0, mask = (1u << bits) - 1;

	for (int at = 0; at < 32; at += bits)
		result |= ((unsigned)f(a >> at & mask, b >> at & mask) & mask) << at;
	return result;
}

__global__ void small_floats(unsigned *out)
{
	unsigned short e4, e5;
	unsigned halves;

	asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(e4) : "f"(1000.f), "f"(-0.3f));
	asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(e5) : "f"(1.5f), "f"(0.1f));
	asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(e4));
	out[0] = e4;
	out[1] = e5;
	out[2] = halves;
}

__global__ void warp(float *out)
{
	unsigned mask, leader, elected;
	float v = threadIdx.x * 1.5f - 20, low;

	asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }"
		     : "=r"(leader), "=r"(elected));
	asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(mask) : "r"(4), "r"(8));
	low = elected ? mask : leader;
	out[threadIdx.x] = low + v * 0;
}

int main()
{
	unsigned a = 0x01f07f80, b = 0x02217f10, *out = device_array<unsigned>(11), h[11];
	float *f = device_array<float>(32);

	video<<<1, 1>>>(out, a, b);
	download(h, out, 11);
	check("vadd", h[0] == lanes(a, b, 8, [](int x, int y) { return x + y; }) &&
			  h[1] == lanes(a, b, 16, [](int x, int y) { return x + y; }));
	check("saturating", h[2] == lanes(a, b, 16, [](int x, int y) {
				    int sum = (short)x + (short)y;

				    return sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum;
			    }));
	check("vsub", h[3] == lanes(a, b, 8, [](int x, int y) { return x - y; }));
	check("vabsdiff", h[4] == lanes(a, b, 8, [](int x, int y) { return abs(x - y); }));
	check("sum of differences", h[5] == 1 + 0xcf + 0 + 0x70);
	check("vmax and vmin", h[6] == lanes(a, b, 8, [](int x, int y) { return x > y ? x : y; }) &&
				   h[7] == lanes(a, b, 16, [](int x, int y) {
					   return (short)x < (short)y ? x : y;
				   }));
	check("vset", h[8] == lanes(a, b, 8, [](int x, int y) { return x > y ? 255 : 0; }) &&
			  h[9] == 0x01010100);
	check("vavrg", h[10] == lanes(a, b, 8, [](int x, int y) { return (x + y + 1) / 2; }));
	small_floats<<<1, 1>>>(out);
	download(h, out, 3);
	check("to fp8", h[0] == 0x7eaa && h[1] == 0x3e2e);
	check("from fp8", h[2] == 0x5f00b500);
	warp<<<1, 32>>>(f);
	check("elect and bmsk", all_equal(f, 32, [](int i) { return i ? 0 : 0xff0; }));
	return finish();
}
