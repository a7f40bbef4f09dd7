/* SPDX-License-Identifier: Apache-2.0 */
/* Mathematical functions, rounding modes, conversions. */
#include "feature.h"
#include <cfenv>
#include <cmath>
#include <type_traits>

constexpr int n = 200;

__global__ void functions(const float *x, float *f, double *d)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	float v = x[i];
	double w = v;
	f[i] = expf(v) + sqrtf(v) + sinf(v) + powf(v, 1.3f) + logf(v) + rsqrtf(v) + tanhf(v) +
	       erff(v) + atan2f(v, 2.f) + cbrtf(v) + fmodf(v, .3f);
	d[i] = exp(w) + sqrt(w) + sin(w) + pow(w, 1.3) + log(w) + lgamma(w) + tanh(w) + erf(w) +
	       atan2(w, 2.) + cbrt(w) + fmod(w, .3);
}

template <typename T> static T reference(T v)
{
	return std::exp(v) + std::sqrt(v) + std::sin(v) + std::pow(v, (T)1.3) + std::log(v) +
	       std::tanh(v) + std::erf(v) + std::atan2(v, (T)2) + std::cbrt(v);
}

/* Host code calls what CUDA's headers have for both sides, and the program's own before it. */
static long min(long a, long b)
{
	return a < b ? 10 * a : 10 * b;
}
template <class T> static __host__ __device__ T greatest(T a, T b)
{
	return max(max(a, b), (T)1);
}
static int at_start = max(3, 4);
static bool has_host_functions(short s, size_t z)
{
	float sine, cosine, whole;
	double both = max(1.5, 2.f);

	sincos(0.f, &sine, &cosine);
	return max(1.f, 2.f) == 2.f && std::is_same<decltype(max(1.f, 2.f)), float>::value &&
	       both == 2 && max(s, s) == 7 && max(z, 5ul) == 9 && min(3l, 4l) == 30 &&
	       min(3, 4) == 30 && max(1u, -1) == ~0u && umin(3, 4u) == 3 && llmax(1, 2) == 2 &&
	       ullmin(1, 2) == 1 && greatest(2.f, 3.f) == 3 && at_start == 4 && sine == 0 &&
	       cosine == 1 && modf(1.5f, &whole) == .5f && whole == 1 && isnan(NAN) &&
	       signbit(-1.) && !isinf(1.l) && __vimax3_s32(1, 5, 3) == 5 &&
	       __nv_bswap32(1) == 1u << 24;
}

static bool is_near(double value, double expected, double tolerance)
{
	return std::fabs(value - expected) <= tolerance * std::fmax(1, std::fabs(expected));
}

/* The operands come from memory, so that nothing is folded. */
__global__ void rounded(const float *x, float *out)
{
	float a = x[0], b = x[1], c = x[2];

	out[0] = __fadd_rn(a, b);
	out[1] = __fadd_rz(a, b);
	out[2] = __fadd_rd(a, b);
	out[3] = __fadd_ru(a, b);
	out[4] = __fmul_rd(a, c);
	out[5] = __fmul_ru(a, c);
	out[6] = __fdiv_rz(a, c);
	out[7] = __fdiv_ru(a, c);
	out[8] = __fsqrt_rd(c);
	out[9] = __fsqrt_ru(c);
	out[10] = __frcp_rz(c);
	out[11] = __frcp_ru(c);
	out[12] = __fmaf_rd(a, b, c);
	out[13] = __fmaf_ru(a, b, c);
}

static float rounded_on_host(int i, volatile float a, volatile float b, volatile float c)
{
	static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,   FE_UPWARD,
				    FE_DOWNWARD,  FE_UPWARD,     FE_TOWARDZERO, FE_UPWARD,
				    FE_DOWNWARD,  FE_UPWARD,     FE_TOWARDZERO, FE_UPWARD,
				    FE_DOWNWARD,  FE_UPWARD};
	volatile float one = 1, result;

	fesetround(modes[i]);
	result = i < 4    ? a + b
		 : i < 6  ? a * c
		 : i < 8  ? a / c
		 : i < 10 ? sqrtf(c)
		 : i < 12 ? one / c
			  : fmaf(a, b, c);
	fesetround(FE_TONEAREST);
	return result;
}

__global__ void conversions(const float *__restrict__ x, const double *__restrict__ y,
			    const long long *__restrict__ k, int *__restrict__ out,
			    float *__restrict__ f, double *__restrict__ d)
{
	out[0] = __float2int_rn(x[0]);
	out[1] = __float2int_rz(x[0]);
	out[2] = __float2int_rd(x[0]);
	out[3] = __float2int_ru(x[0]);
	out[4] = (int)x[1];           /* too large */
	out[5] = (int)x[2];           /* not a number */
	out[6] = (int)(unsigned)x[3]; /* negative */
	out[7] = __double2int_rn(y[0]);
	out[8] = __double2hiint(y[1]);
	out[9] = __double2loint(y[1]);
	f[0] = __ll2float_rz(k[0]);
	f[1] = __ll2float_ru(k[0]);
	f[2] = __double2float_rd(y[2]);
	f[3] = __double2float_ru(y[2]);
	d[0] = __ll2double_rd(k[0]);
	d[1] = __ll2double_ru(k[0]);
	d[2] = __hiloint2double(out[8], out[9]);
}

/* Separate operations may be fused only as the GPU fuses them. */
__global__ void fused(const float *x, float *out)
{
	out[0] = x[0] * x[1] + x[2];
	out[1] = __fadd_rn(__fmul_rn(x[0], x[1]), x[2]);
	out[2] = x[2] - x[0] * x[1];
}

__global__ void integers(const int *x, int *out)
{
	out[0] = __popc(x[0]) + __clz(x[0]) + __ffs(x[0]);
	out[1] = __brev(x[0]);
	out[2] = __mulhi(x[0], x[1]);
	out[3] = __byte_perm(x[0], x[1], 0x5140);
	out[4] = __funnelshift_l(x[0], x[1], 7);
	out[5] = __sad(x[0], -x[1], 1u);
	out[6] = x[0] / x[2] == -1 || x[2] == 0;
	out[7] = __dp4a(x[0], x[1], 5);
}

int main()
{
	float x[n], f[n], *dx = device_array<float>(n), *df = device_array<float>(n);
	double d[n], y[3] = {2.5, -1.0 / 3, 1.0 / 3}, *dd = device_array<double>(n);
	double *dy = device_array<double>(3);
	long long k[1] = {(1ll << 60) + 1}, *dk = device_array<long long>(1);
	int out[16], *dout = device_array<int>(16), ints[3] = {0x12345678, 0x0badcafe, 0};
	int *dints = device_array<int>(3);
	bool near_float = true, near_double = true, exact = true;

	for (int i = 0; i < n; i++)
		x[i] = .1f + i * .043f;
	upload(dx, x, n);
	functions<<<2, 128>>>(dx, df, dd);
	download(f, df, n);
	download(d, dd, n);
	for (int i = 0; i < n; i++) {
		float rest = 1 / sqrtf(x[i]) + fmodf(x[i], .3f);
		double w = x[i], wide = std::lgamma(w) + std::fmod(w, .3);

		near_float = near_float && is_near(f[i], reference(x[i]) + rest, 4e-6);
		near_double = near_double && is_near(d[i], reference(w) + wide, 1e-13);
	}
	check("float functions", near_float);
	check("double functions", near_double);

	x[0] = 1;
	x[1] = 3e-8f;
	x[2] = 3;
	upload(dx, x, 3);
	rounded<<<1, 1>>>(dx, df);
	download(f, df, 14);
	for (int i = 0; i < 14; i++)
		exact = exact && f[i] == rounded_on_host(i, x[0], x[1], x[2]);
	check("directed rounding", exact);

	x[0] = -2.5f;
	x[1] = 3e20f;
	x[2] = NAN;
	x[3] = -7;
	upload(dx, x, 4);
	upload(dy, y, 3);
	upload(dk, k, 1);
	conversions<<<1, 1>>>(dx, dy, dk, dout, df, dd);
	download(out, dout, 10);
	download(f, df, 4);
	download(d, dd, 3);
	check("float to int", out[0] == -2 && out[1] == -2 && out[2] == -3 && out[3] == -2 &&
				  out[4] == 0x7fffffff && out[5] == 0 && out[6] == 0 &&
				  out[7] == 2);
	check("directed conversions", f[0] == 0x1p60f && f[1] == 0x1.000002p60f && f[2] < 1.0 / 3 &&
					  f[3] > 1.0 / 3 && d[0] == 0x1p60 &&
					  d[1] == 0x1.0000000000001p60);
	check("parts of a double", d[2] == y[1]);

	x[0] = 1 + 0x1p-12f;
	x[1] = 1 + 0x1p-12f;
	x[2] = -1 - 0x1p-11f;
	upload(dx, x, 3);
	fused<<<1, 1>>>(dx, df);
	download(f, df, 3);
	check("fused multiply-add",
	      f[0] == 0x1p-24f && f[1] == 0 && f[2] == fmaf(-x[0], x[1], x[2]));

	upload(dints, ints, 3);
	integers<<<1, 1>>>(dints, dout);
	download(out, dout, 8);
	check("bit operations", out[0] == 13 + 3 + 4 && out[1] == 0x1e6a2c48 &&
				    out[2] == (int)((0x12345678ll * 0x0badcafell) >> 32) &&
				    out[3] == (int)0xca56fe78 &&
				    out[4] == (int)(0x0badcafeu << 7 | 0x12345678u >> 25));
	check("dp4a and sad", out[5] == (int)(0x12345678u + 0x0badcafeu + 1) &&
				  out[7] == 0x78 * (signed char)0xfe + 0x56 * (signed char)0xca +
						0x34 * (signed char)0xad + 0x12 * 0x0b + 5);
	check("division by zero goes on", out[6] == 1);
	check("functions of both sides in host code", has_host_functions(7, 9));
	return finish();
}
