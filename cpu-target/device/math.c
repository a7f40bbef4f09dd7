/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware's approximate functions (at least as accurate here), and
 * reinterpretation of numbers. */
#include "cpu-target/device/device.h"
#include <math.h>

#define APPROXIMATE_AS(name, expression)                                                           \
	float NVVM(name)(float a)                                                                  \
	{                                                                                          \
		return expression;                                                                 \
	}
#define APPROXIMATE(name, expression)                                                              \
	APPROXIMATE_AS(name##_approx_f, expression)                                                \
	APPROXIMATE_AS(name##_approx_f32, expression)                                              \
	APPROXIMATE_AS(name##_approx_ftz_f, expression)                                            \
	APPROXIMATE_AS(name##_approx_ftz_f32, expression)

APPROXIMATE(ex2, exp2f(a))
APPROXIMATE(lg2, log2f(a))
APPROXIMATE(sin, sinf(a))
APPROXIMATE(cos, cosf(a))
APPROXIMATE(tanh, tanhf(a))

float NVVM(saturate_f)(float a)
{
	return a > 0 ? (a < 1 ? a : 1) : 0; /* NaN: 0 */
}

float NVVM(saturate_ftz_f)(float a)
{
	return NVVM(saturate_f)(a);
}

double NVVM(saturate_d)(double a)
{
	return a > 0 ? (a < 1 ? a : 1) : 0;
}

static u64 double_bits(double value)
{
	u64 bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	return bits;
}

double NVVM(lohi_i2d)(u32 low, u32 high)
{
	u64 bits = (u64)high << 32 | low;
	double value;

	__builtin_memcpy(&value, &bits, sizeof(value));
	return value;
}

u32 NVVM(d2i_lo)(double a)
{
	return (u32)double_bits(a);
}

u32 NVVM(d2i_hi)(double a)
{
	return (u32)(double_bits(a) >> 32);
}

static uint16_t half_bits(_Float16 value)
{
	uint16_t bits;

	__builtin_memcpy(&bits, &value, sizeof(bits));
	return bits;
}

uint16_t NVVM(f2h_rn)(float a)
{
	return half_bits((_Float16)a);
}

uint16_t NVVM(f2h_rn_ftz)(float a)
{
	return half_bits((_Float16)a);
}

/* Directed rounding to half: step back from the nearest when it went over. */
static uint16_t step(float a, int up, int down)
{
	_Float16 nearest = (_Float16)a;
	uint16_t bits = half_bits(nearest);
	int negative = bits >> 15;

	if (a != a || (float)nearest == a)
		return bits;
	if ((float)nearest > a && down)
		return negative ? bits + 1 : bits ? bits - 1 : 0x8001;
	if ((float)nearest < a && up)
		return negative ? bits - 1 : bits + 1;
	return bits;
}

uint16_t NVVM(f2h_rz)(float a)
{
	return step(a, (a < 0), (a > 0));
}

uint16_t NVVM(f2h_rm)(float a)
{
	return step(a, 0, 1);
}

uint16_t NVVM(f2h_rp)(float a)
{
	return step(a, 1, 0);
}

/* bf16: the upper half of a float. */
static uint16_t cut(float a, int up, int down)
{
	uint32_t bits;
	int negative;

	__builtin_memcpy(&bits, &a, sizeof(bits));
	negative = bits >> 31;
	if (a != a)
		return 0x7fff;
	if (bits & 0xffff && ((negative && down) || (!negative && up)))
		bits += 0x10000;
	return bits >> 16;
}

uint16_t NVVM(f2bf_rz)(float a)
{
	return cut(a, 0, 0);
}

uint16_t NVVM(f2bf_rm)(float a)
{
	return cut(a, 0, 1);
}

uint16_t NVVM(f2bf_rp)(float a)
{
	return cut(a, 1, 0);
}
