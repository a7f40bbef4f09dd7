/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic with directed rounding: the mode is set in MXCSR around one
 * operation. Out of line, so that no other operation is moved in between.
 */
#include "cpu-target/device/device.h"
#include <math.h>
#include <xmmintrin.h>

#pragma STDC FENV_ACCESS ON

#define MXCSR_ROUNDING 0x6000u
#define MXCSR_FTZ 0x8040u /* flush results and inputs */
#define DOWN 0x2000u
#define UP 0x4000u
#define ZERO 0x6000u
#define NEAREST 0x0000u

#define ROUNDED(type, name, mode, parameters, expression)                                          \
	__attribute__((noinline)) type NVVM(name) parameters                                       \
	{                                                                                          \
		u32 before = _mm_getcsr();                                                         \
		volatile type result;                                                              \
                                                                                                   \
		_mm_setcsr((before & ~MXCSR_ROUNDING) | (mode));                                   \
		result = (expression);                                                             \
		_mm_setcsr(before);                                                                \
		return result;                                                                     \
	}

#define TWO(type) (volatile type a, volatile type b)
#define ONE(type) (volatile type a)
#define THREE(type) (volatile type a, volatile type b, volatile type c)

#define ARITHMETIC(type, suffix, letter, mode, root, multiply_add)                                 \
	ROUNDED(type, add_##suffix##letter, mode, TWO(type), a + b)                                \
	ROUNDED(type, sub_##suffix##letter, mode, TWO(type), a - b)                                \
	ROUNDED(type, mul_##suffix##letter, mode, TWO(type), a *b)                                 \
	ROUNDED(type, div_##suffix##letter, mode, TWO(type), a / b)                                \
	ROUNDED(type, rcp_##suffix##letter, mode, ONE(type), (type)1 / a)                          \
	ROUNDED(type, sqrt_##suffix##letter, mode, ONE(type), root(a))                             \
	ROUNDED(type, fma_##suffix##letter, mode, THREE(type), multiply_add(a, b, c))

#define DIRECTED(mode_name, mode)                                                                  \
	ARITHMETIC(float, mode_name##_, f, mode, sqrtf, fmaf)                                      \
	ARITHMETIC(float, mode_name##_ftz_, f, mode | MXCSR_FTZ, sqrtf, fmaf)                      \
	ARITHMETIC(double, mode_name##_, d, mode, sqrt, fma)                                       \
	ROUNDED(float, d2f_##mode_name, mode, ONE(double), (float)a)                               \
	ROUNDED(float, d2f_##mode_name##_ftz, mode | MXCSR_FTZ, ONE(double), (float)a)             \
	ROUNDED(float, i2f_##mode_name, mode, ONE(i32), (float)a)                                  \
	ROUNDED(float, ui2f_##mode_name, mode, ONE(u32), (float)(i64)a)                            \
	ROUNDED(float, ll2f_##mode_name, mode, ONE(i64), (float)a)                                 \
	ROUNDED(double, i2d_##mode_name, mode, ONE(i32), (double)a)                                \
	ROUNDED(double, ui2d_##mode_name, mode, ONE(u32), (double)(i64)a)                          \
	ROUNDED(double, ll2d_##mode_name, mode, ONE(i64), (double)a)

DIRECTED(rz, ZERO)
DIRECTED(rm, DOWN)
DIRECTED(rp, UP)

/* The sum with the product as a float that is odd where it is not exact: rounding it once more, to
 * fewer digits, rounds the exact sum. */
static float odd_of(double sum, double error)
{
	float result = (float)sum;
	u32 bits = bits_of(result);

	if (!(__builtin_fabsf(result) <= __FLT_MAX__) || ((double)result == sum && error == 0))
		return result;
	if (__builtin_fabs((double)result) > __builtin_fabs(sum) ||
	    ((double)result == sum && (error < 0) == (sum > 0)))
		bits--;
	return float_of(bits | 1);
}

float NVVM(fma_odd)(float a, float b, float c)
{
	double product = (double)a * b, sum = product + c, term = sum - product;

	return odd_of(sum, (product - (sum - term)) + (c - term));
}

float NVVM(d2f_odd)(double a)
{
	return odd_of(a, 0);
}

/* 64-bit unsigned: halve with the lost bit kept (sticky), convert, double. */
#define UNSIGNED_LONG(type, name, mode)                                                            \
	ROUNDED(type, name, mode, ONE(u64),                                                        \
		a >> 63 ? (type)(i64)(a >> 1 | (a & 1)) * 2 : (type)(i64)a)

UNSIGNED_LONG(float, ull2f_rz, ZERO)
UNSIGNED_LONG(float, ull2f_rm, DOWN)
UNSIGNED_LONG(float, ull2f_rp, UP)
UNSIGNED_LONG(double, ull2d_rz, ZERO)
UNSIGNED_LONG(double, ull2d_rm, DOWN)
UNSIGNED_LONG(double, ull2d_rp, UP)
