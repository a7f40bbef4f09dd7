/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions of pairs of 8-bit floats; the first operand is the upper half. */
#include "cpu-target/device/device.h"
#include "cpu-target/device/element.h"
#include <math.h>
#include <string.h>

struct format {
	u32 mantissa; /* bits */
	i32 bias;
	u32 largest; /* code of the largest finite number */
	double limit;
};

static const struct format e4m3 = {3, 7, 0x7e, 448}, e5m2 = {2, 15, 0x7b, 57344};

/* ilogb and ldexp for normal numbers; a kernel cannot call the library's. */
static i32 exponent_of(double magnitude)
{
	u64 bits;

	memcpy(&bits, &magnitude, sizeof(bits));
	return (i32)(bits >> 52 & 0x7ff) - 1023;
}

static double power_of_two(i32 exponent)
{
	u64 bits = (u64)(exponent + 1023) << 52;
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* To nearest even; what is too large becomes the largest. */
static u32 encode(const struct format *format, double value, int relu)
{
	u32 sign = signbit(value) ? 0x80 : 0, code;
	double magnitude = fabs(value), quantum;
	i32 exponent;

	if (value != value)
		return 0x7f;
	if (relu && value < 0)
		return 0;
	if (magnitude >= format->limit)
		return sign | format->largest;
	exponent = exponent_of(magnitude); /* zero has a small one */
	if (exponent < 1 - format->bias)
		exponent = 1 - format->bias;
	quantum = power_of_two(exponent - (i32)format->mantissa);
	code = (u32)rint(magnitude / quantum);
	code += (u32)(exponent - 1 + format->bias) << format->mantissa;
	return sign | (code > format->largest ? format->largest : code);
}

static uint16_t pack(const struct format *format, double high, double low, int relu)
{
	return (uint16_t)(encode(format, high, relu) << 8 | encode(format, low, relu));
}

static double half_of(u32 pair, u32 index)
{
	return ct_matrix_real(&pair, CT_MATRIX_F16, index);
}

static u32 unpack(u32 type, uint16_t pair, int relu)
{
	u32 word = pair, halves = 0;

	for (u32 i = 0; i < 2; i++) {
		double value = ct_matrix_real(&word, type, i);

		ct_matrix_put(&halves, CT_MATRIX_F16, i, relu && value < 0 ? 0 : value);
	}
	return halves;
}

#define CONVERT(name, type, suffix, relu)                                                          \
	uint16_t NVVM(ff_to_##name##x2_rn##suffix)(float high, float low)                          \
	{                                                                                          \
		return pack(&name, high, low, relu);                                               \
	}                                                                                          \
	uint16_t NVVM(f16x2_to_##name##x2_rn##suffix)(u32 halves)                                  \
	{                                                                                          \
		return pack(&name, half_of(halves, 1), half_of(halves, 0), relu);                  \
	}                                                                                          \
	u32 NVVM(name##x2_to_f16x2_rn##suffix)(uint16_t pair)                                      \
	{                                                                                          \
		return unpack(type, pair, relu);                                                   \
	}

CONVERT(e4m3, CT_MATRIX_E4M3, , 0)
CONVERT(e4m3, CT_MATRIX_E4M3, _relu, 1)
CONVERT(e5m2, CT_MATRIX_E5M2, , 0)
CONVERT(e5m2, CT_MATRIX_E5M2, _relu, 1)
