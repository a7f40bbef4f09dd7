/* SPDX-License-Identifier: Apache-2.0 */
/* Modifiers of PTX instructions, each against plain C: rounding, .ftz, .sat, .relu, .NaN,
 * .xorsign.abs. */
#include "feature.h"
#include <cfenv>
#include <climits>
#include <cmath>

// Single precision: what x86-64 computes in the same rounding, between what .ftz and .sat say.
/* clang-format off */
#define ROUNDED(OF) \
	OF(add, rn, "add.rn", 0, 0) OF(add, rz, "add.rz.ftz", 1, 0) \
	OF(add, rm, "add.rm.sat", 0, 1) OF(add, rp, "add.rp.ftz.sat", 1, 1) \
	OF(sub, rn, "sub.ftz", 1, 0) OF(sub, rz, "sub.rz.sat", 0, 1) \
	OF(sub, rm, "sub.rm.ftz", 1, 0) OF(sub, rp, "sub.rp", 0, 0) \
	OF(mul, rn, "mul.rn.ftz.sat", 1, 1) OF(mul, rz, "mul.rz", 0, 0) \
	OF(mul, rm, "mul.rm.ftz", 1, 0) OF(mul, rp, "mul.rp.sat", 0, 1) \
	OF(fma, rn, "fma.rn.ftz", 1, 0) OF(fma, rz, "fma.rz.sat", 0, 1) \
	OF(fma, rm, "fma.rm.ftz.sat", 1, 1) OF(fma, rp, "fma.rp", 0, 0) \
	OF(fmz, rn, "fma.rn.ftz", 1, 0) OF(mul, rp, "mul.rp.ftz", 1, 0)
#define LESSER(OF) \
	OF(min, "min", 0, 0, 0) OF(max, "max.ftz", 1, 0, 0) OF(min, "min.NaN", 0, 1, 0) \
	OF(max, "max.ftz.NaN", 1, 1, 0) OF(max, "max.xorsign.abs", 0, 0, 1) \
	OF(min, "min.ftz.NaN.xorsign.abs", 1, 1, 1)
/* clang-format on */
#define COUNT_ONE(...) +1
enum {
	ROUNDED_COUNT = ROUNDED(COUNT_ONE),
	LESSER_COUNT = LESSER(COUNT_ONE),
	VALUES = 20,
	INTEGERS = 10
};

#define ASM_add(text) asm(text ".f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
#define ASM_sub ASM_add
#define ASM_mul ASM_add
#define ASM_fma(text) asm(text ".f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
#define ASM_fmz(text) asm(text ".f32 %0, %1, %2, 0f00000000;" : "=f"(r) : "f"(a), "f"(b));

__global__ void reals(unsigned *out, const float *value)
{
	float a = value[threadIdx.x], b = value[threadIdx.y],
	      c = value[(threadIdx.x + 7 * threadIdx.y) % VALUES], r;

	out += (threadIdx.y * VALUES + threadIdx.x) * (ROUNDED_COUNT + LESSER_COUNT);
#define DO_ROUNDED(op, mode, text, ftz, sat) ASM_##op(text) *out++ = __float_as_int(r);
	ROUNDED(DO_ROUNDED)
#define DO_LESSER(op, text, ftz, nan, sign) ASM_add(text) *out++ = __float_as_int(r);
	LESSER(DO_LESSER)
}

static float flush(float v, int ftz)
{
	return ftz && fabsf(v) < 0x1p-126f ? copysignf(0, v) : v;
}

static float rounded(const char *op, int mode, float a, float b, float c, int ftz, int sat)
{
	volatile float x = flush(a, ftz), y = flush(b, ftz), z = op[2] == 'z' ? 0 : flush(c, ftz);
	volatile float r, larger;
	long double exact;

	fesetround(mode);
	r = *op == 'a' ? x + y : *op == 's' ? x - y : *op == 'm' ? x * y : fmaf(x, y, z);
	exact = *op == 'a' || *op == 's' ? r : (long double)x * y + (*op == 'm' ? 0 : z);
	larger = (float)(exact * 0x1p64L); // rounded as if the exponent had no end
	fesetround(FE_TONEAREST);
	if (ftz && fabsf(larger) < 0x1p-62f)
		r = copysignf(0, r);
	return !sat ? r : !(r > 0) ? 0 : r > 1 ? 1 : r;
}

static float lesser(bool is_min, float a, float b, int ftz, int nan, int sign)
{
	float x = flush(a, ftz), y = flush(b, ftz), r;
	bool negative = __builtin_signbit(x) != __builtin_signbit(y), is_less;

	if (sign)
		x = fabsf(x), y = fabsf(y);
	is_less = x < y || (x == y && __builtin_signbit(x));
	r = x != x ? (nan ? x : y) : y != y ? (nan ? y : x) : is_less == is_min ? x : y;
	return sign ? copysignf(r, negative ? -1 : 1) : r;
}

static bool is_same(unsigned bits, float wanted)
{
	float got;

	memcpy(&got, &bits, sizeof(got));
	return wanted != wanted ? got != got : memcmp(&got, &wanted, sizeof(got)) == 0;
}

/* Says which does not. */
static bool holds(const char *text, float a, float b, float c, unsigned bits, float wanted)
{
	if (is_same(bits, wanted))
		return true;
	fprintf(stderr, "%s of %a, %a, %a: %08x, not %a\n", text, a, b, c, bits, wanted);
	return false;
}

static void check_reals()
{
	const float value[VALUES] = {0,
				     -0.f,
				     1,
				     -1,
				     0x1p-126f,
				     -0x1p-126f,
				     0x1p-127f,
				     -0x1.8p-130f,
				     0x1p-149f,
				     3e38f,
				     -3e38f,
				     INFINITY,
				     -INFINITY,
				     NAN,
				     1 / 3.f,
				     -.1f,
				     0x1.fffffep-1f,
				     1e-20f,
				     2e-19f,
				     7};
	enum {
		MODE_rn = FE_TONEAREST,
		MODE_rz = FE_TOWARDZERO,
		MODE_rm = FE_DOWNWARD,
		MODE_rp = FE_UPWARD
	};
	constexpr int results = ROUNDED_COUNT + LESSER_COUNT;
	static unsigned host[VALUES * VALUES * results], *at = host;
	unsigned *out = device_array<unsigned>(VALUES * VALUES * results);
	float *in = device_array<float>(VALUES);
	bool round = true, less = true;

	upload(in, value, VALUES);
	reals<<<1, dim3(VALUES, VALUES)>>>(out, in);
	download(host, out, VALUES * VALUES * results);
	for (int j = 0; j < VALUES; j++)
		for (int i = 0; i < VALUES; i++) {
			float a = value[i], b = value[j], c = value[(i + 7 * j) % VALUES];
#define IS_ROUNDED(op, mode, text, ftz, sat)                                                       \
	round = holds(text, a, b, c, *at++, rounded(#op, MODE_##mode, a, b, c, ftz, sat)) && round;
			ROUNDED(IS_ROUNDED)
#define IS_LESSER(op, text, ftz, nan, sign)                                                        \
	if (!(sign && (a != a || b != b)))                                                         \
		less = is_same(*at, lesser(text[1] == 'i', a, b, ftz, nan, sign)) && less;         \
	at++;
			LESSER(IS_LESSER)
		}
	check("rounding, ftz, sat", round);
	check("NaN, xorsign.abs", less);
}

__global__ void integers(int *out, const int *value)
{
	int a = value[threadIdx.x], b = value[threadIdx.y],
	    c = value[(threadIdx.x + 3 * threadIdx.y) % INTEGERS], r;

	out += (threadIdx.y * INTEGERS + threadIdx.x) * 8;
#define INTEGER(text)                                                                              \
	asm(text : "=r"(r) : "r"(a), "r"(b), "r"(c));                                              \
	*out++ = r;
	INTEGER("max.s32.relu %0, %1, %2;")
	INTEGER("min.relu.s32 %0, %1, %2;")
	INTEGER("max.s16x2.relu %0, %1, %2;")
	INTEGER("min.s16x2 %0, %1, %2;")
	INTEGER("add.sat.s32 %0, %1, %2;")
	INTEGER("sub.sat.s32 %0, %1, %2;")
	INTEGER("mad.hi.sat.s32 %0, %1, %2, %3;")
	INTEGER("max.u16x2 %0, %1, %2;")
}

static int clamp(long long v)
{
	return v > INT_MAX ? INT_MAX : v < INT_MIN ? INT_MIN : (int)v;
}

static int pairs(int a, int b, int (*f)(int, int))
{
	return (f((short)a, (short)b) & 0xffff) | f((short)(a >> 16), (short)(b >> 16)) << 16;
}

static void check_integers()
{
	const int value[INTEGERS] = {
	    0, 1, -1, INT_MAX, INT_MIN, -2, 0x7fff8000, (int)0x80007fff, 123456789, -987654321};
	int *out = device_array<int>(INTEGERS * INTEGERS * 8), *in = device_array<int>(INTEGERS);

	upload(in, value, INTEGERS);
	integers<<<1, dim3(INTEGERS, INTEGERS)>>>(out, in);
	check("relu and sat of integers", all_equal(out, INTEGERS * INTEGERS * 8, [&](size_t n) {
		      size_t x = n / 8 % INTEGERS, y = n / 8 / INTEGERS;
		      int a = value[x], b = value[y], c = value[(x + 3 * y) % INTEGERS];
		      int high = (int)((long long)a * b >> 32);

		      switch (n % 8) {
		      case 0:
			      return a < 0 && b < 0 ? 0 : a > b ? a : b;
		      case 1:
			      return a < 0 || b < 0 ? 0 : a < b ? a : b;
		      case 2:
			      return pairs(a, b, [](int x, int y) {
				      return x < 0 && y < 0 ? 0 : x > y ? x : y;
			      });
		      case 3:
			      return pairs(a, b, [](int x, int y) { return x < y ? x : y; });
		      case 4:
			      return clamp((long long)a + b);
		      case 5:
			      return clamp((long long)a - b);
		      case 6:
			      return clamp((long long)high + c);
		      default:
			      return pairs(a, b, [](int x, int y) {
				      return (x & 0xffff) > (y & 0xffff) ? x : y;
			      });
		      }
	      }));
}

__global__ void conversions(unsigned *out, float big, float odd, float low, int n)
{
#define CONVERTED(text, in, value)                                                                 \
	asm("{ .reg .b16 h, i, j, k; .reg .f32 f; " text " }" : "=r"(*out) : in(value));           \
	out++;
#define TO_HALF(text, in, value) CONVERTED(text " cvt.u32.u16 %0, h;", in, value)
#define FROM_HALVES(text, a, b, c)                                                                 \
	TO_HALF("cvt.u16.u32 i, %1; mov.b16 j, " b "; mov.b16 k, " c "; " text, "r", a)
	CONVERTED("cvt.rna.tf32.f32 %0, %1;", "f", odd)
	CONVERTED("cvt.rn.relu.f16x2.f32 %0, %1, 0f3f800000;", "f", low)
	CONVERTED("cvt.rzi.s8.f32 %0, %1;", "f", low)
	CONVERTED("cvt.rn.sat.f32.s32 f, %1; mov.b32 %0, f;", "r", n)
	TO_HALF("cvt.rz.f16.f32 h, %1;", "f", big)
	TO_HALF("cvt.rn.satfinite.f16.f32 h, %1;", "f", big)
	TO_HALF("cvt.rp.bf16.f32 h, %1;", "f", odd)
	TO_HALF("cvt.rm.f16.s32 h, %1;", "r", n)
	FROM_HALVES("cvt.rz.f16.bf16 h, i;", 0x47c3, "0", "0")
	// A product half way between two numbers, and a bit more: rounded once.
	FROM_HALVES("fma.rn.bf16 h, i, j, k;", 0x3f88, "0x3f88", "0x2180")
	FROM_HALVES("fma.rn.f16 h, i, j, k;", 0x3c20, "0x3c10", "0x0001")
	FROM_HALVES("fma.rn.relu.f16 h, i, j, k;", 0x3c00, "0x3c00", "0xbc01")
	FROM_HALVES("fma.rn.relu.f16 h, i, j, k;", 0x3c00, "0x3c00", "0x7e00")
	FROM_HALVES("add.ftz.f16 h, i, j;", 0x8001, "0x0003", "0")
}

static void check_conversions()
{
	const unsigned wanted[] = {0x3f802000, 0x3c00, 0xfffffffd, 0x3f800000, 0x7bff, 0x7bff,
				   0x3f81,     0x6800, 0x7bff,     0x3f91,     0x3c31};
	unsigned *out = device_array<unsigned>(14), got[14];

	conversions<<<1, 1>>>(out, 1e6f, 1 + 0x1p-11f, -3.7f, 2049);
	download(got, out, 14);
	check("conversions", memcmp(got, wanted, 9 * sizeof(*got)) == 0);
	check("rounded once", memcmp(got + 9, wanted + 9, 2 * sizeof(*got)) == 0);
	check("relu of halves", got[11] == 0 && (got[12] & 0x7fff) > 0x7c00);
	check("ftz of halves", got[13] == 0);
}

int main()
{
	check_reals();
	check_integers();
	check_conversions();
	return finish();
}
