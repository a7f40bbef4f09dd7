/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of device code and what they give, evaluated by definitions of our own. */
#include "tests/differential/operation.h"
#include <fenv.h>
#include <math.h>
#include <string.h>

bool operation_flushes, operation_unknown;

static int64_t s64(uint64_t value)
{
	return (int64_t)value;
}

/* The low bits as a signed number. */
static int64_t bits(uint64_t value, unsigned count)
{
	return (int64_t)(value << (64 - count)) >> (64 - count);
}

unsigned type_bits(enum type type)
{
	static const unsigned char sizes[] = {0, 8, 8, 16, 16, 32, 32, 64, 64, 32, 64};

	return sizes[type];
}

bool type_signed(enum type type)
{
	return type == I8 || type == I16 || type == I32 || type == I64;
}

const char *type_name(enum type type)
{
	static const char *const names[] = {
	    "",         "signed char", "unsigned char",      "short", "unsigned short", "int",
	    "unsigned", "long long",   "unsigned long long", "float", "double"};

	return names[type];
}

uint64_t wrapped(enum type type, uint64_t value)
{
	unsigned size = type_bits(type);

	if (type_signed(type))
		return (uint64_t)bits(value, size);
	return size == 64 ? value : value & (((uint64_t)1 << size) - 1);
}

static uint64_t reversed(uint64_t value, unsigned size)
{
	uint64_t result = 0;

	for (unsigned i = 0; i < size; i++)
		result |= (value >> i & 1) << (size - 1 - i);
	return result;
}

static uint64_t leading(uint64_t value, unsigned size)
{
	unsigned count = 0;

	while (count < size && !(value >> (size - 1 - count) & 1))
		count++;
	return count;
}

static uint64_t permuted(uint64_t bytes, uint64_t selectors)
{
	uint64_t result = 0;

	for (unsigned i = 0; i < 4; i++) {
		unsigned selector = selectors >> 4 * i & 7;

		result |= (bytes >> 8 * selector & 0xff) << 8 * i;
	}
	return result;
}

static uint64_t dot(uint64_t a, uint64_t b, unsigned count, bool is_signed)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < count; i++, a >>= 8, b >>= 8)
		sum += is_signed ? (uint64_t)(bits(a, 8) * bits(b, 8)) : (a & 0xff) * (b & 0xff);
	return sum;
}

static uint64_t dot2(uint64_t a, uint64_t b, bool is_signed)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < 2; i++, a >>= 16, b >>= 8)
		sum += is_signed ? (uint64_t)(bits(a, 16) * bits(b, 8)) : (a & 0xffff) * (b & 0xff);
	return sum;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static uint64_t total(uint64_t parts, unsigned size)
{
	uint64_t sum = 0;

	for (unsigned at = 0; at < 32; at += size)
		sum += parts >> at & ((1u << size) - 1);
	return sum;
}

static int64_t part(uint64_t value, unsigned at, unsigned size, bool is_signed)
{
	value >>= at;
	return is_signed ? bits(value, size) : (int64_t)(value & ((1u << size) - 1));
}

/* Evaluates the expression of x, y and z, the parts of a, b and c. */
#define EACH(size, is_signed, expression)                                                          \
	({                                                                                         \
		uint64_t result = 0;                                                               \
                                                                                                   \
		for (unsigned at = 0; at < 32; at += (size)) {                                     \
			int64_t x = part(a, at, size, is_signed),                                  \
				y = part(b, at, size, is_signed),                                  \
				z = part(c, at, size, is_signed);                                  \
                                                                                                   \
			(void)x, (void)y, (void)z;                                                 \
			result |= ((uint64_t)(expression) & ((1u << (size)) - 1)) << at;           \
		}                                                                                  \
		result;                                                                            \
	})

static double from_float(uint64_t raw)
{
	uint32_t word = (uint32_t)raw;
	float value;

	memcpy(&value, &word, sizeof(value));
	return value;
}

static double from_double(uint64_t raw)
{
	double value;

	memcpy(&value, &raw, sizeof(value));
	return value;
}

static uint64_t bits_of_float(float value)
{
	uint32_t word;

	memcpy(&word, &value, sizeof(word));
	return value != value ? 0x7fffffff : word;
}

static uint64_t bits_of_double(double value)
{
	uint64_t word;

	memcpy(&word, &value, sizeof(word));
	return value != value ? 0x7ff8000000000000u : word;
}

uint64_t operation_canonical(enum type type, uint64_t raw)
{
	return type == F32   ? bits_of_float((float)from_float(raw))
	       : type == F64 ? bits_of_double(from_double(raw))
			     : raw;
}

static double flushed(double value)
{
	return operation_flushes && fabs(value) < 0x1p-126 ? copysign(0, value) : value;
}

enum arithmetic { do_add, do_sub, do_mul, do_div, do_fma, do_root, do_reciprocal };

static uint64_t float_arithmetic(enum arithmetic which, int mode, uint64_t ra, uint64_t rb,
				 uint64_t rc)
{
	volatile float a = (float)flushed(from_float(ra)), b = (float)flushed(from_float(rb)),
		       c = (float)flushed(from_float(rc)), r = 0;

	fesetround(mode);
	switch (which) {
	case do_add:
		r = a + b;
		break;
	case do_sub:
		r = a - b;
		break;
	case do_mul:
		r = a * b;
		break;
	case do_div:
		r = a / b;
		break;
	case do_fma:
		r = fmaf(a, b, c);
		break;
	case do_root:
		r = sqrtf(a);
		break;
	case do_reciprocal:
		r = 1 / a;
		break;
	}
	fesetround(FE_TONEAREST);
	return bits_of_float((float)flushed(r));
}

static uint64_t double_arithmetic(enum arithmetic which, int mode, uint64_t ra, uint64_t rb,
				  uint64_t rc)
{
	volatile double a = from_double(ra), b = from_double(rb), c = from_double(rc), r = 0;

	fesetround(mode);
	switch (which) {
	case do_add:
		r = a + b;
		break;
	case do_sub:
		r = a - b;
		break;
	case do_mul:
		r = a * b;
		break;
	case do_div:
		r = a / b;
		break;
	case do_fma:
		r = fma(a, b, c);
		break;
	case do_root:
		r = sqrt(a);
		break;
	case do_reciprocal:
		r = 1 / a;
		break;
	}
	fesetround(FE_TONEAREST);
	return bits_of_double(r);
}

#define FLOATS(name, mode) float_arithmetic(do_##name, mode, a, b, c)
#define DOUBLES(name, mode) double_arithmetic(do_##name, mode, a, b, c)
/* Exact functions: those of doubles give floats of floats. */
#define FLOAT_OF(expression)                                                                       \
	({                                                                                         \
		double x = from_float(a), y = from_float(b);                                       \
                                                                                                   \
		(void)y;                                                                           \
		bits_of_float((float)(expression));                                                \
	})
#define DOUBLE_OF(expression)                                                                      \
	({                                                                                         \
		double x = from_double(a), y = from_double(b);                                     \
                                                                                                   \
		(void)y;                                                                           \
		bits_of_double(expression);                                                        \
	})

/* NaN where both are; -0 is less than +0. */
static double least_number(double x, double y)
{
	if (x != x || y != y)
		return x != x ? y : x;
	return x < y || (x == y && signbit(x)) ? x : y;
}

static double nan_or(double x, double y, double otherwise)
{
	return x != x || y != y ? (double)NAN : otherwise;
}

static double saturated(double x)
{
	return x > 0 ? x < 1 ? x : 1 : 0;
}

static uint64_t narrowed(int mode, uint64_t raw)
{
	volatile double x = from_double(raw);
	volatile float r;

	fesetround(mode);
	r = (float)x;
	fesetround(FE_TONEAREST);
	return bits_of_float((float)flushed(r));
}

static uint64_t float_of(int mode, uint64_t raw, bool is_signed)
{
	volatile float r;

	fesetround(mode);
	r = is_signed ? (float)s64(raw) : (float)raw;
	fesetround(FE_TONEAREST);
	return bits_of_float(r);
}

static uint64_t double_of(int mode, uint64_t raw, bool is_signed)
{
	volatile double r;

	fesetround(mode);
	r = is_signed ? (double)s64(raw) : (double)raw;
	fesetround(FE_TONEAREST);
	return bits_of_double(r);
}

/* Saturates. NaN gives 0, where `own` is set what the machine likes. */
static uint64_t to_integer(int mode, double value, enum type type, bool own)
{
	volatile double x = value;
	unsigned size = type_bits(type);
	double low = type_signed(type) ? -ldexp(1, (int)size - 1) : 0;
	double high = ldexp(1, (int)size - (type_signed(type) ? 1 : 0)); /* beyond the largest */

	if (value != value) {
		operation_unknown |= own;
		return 0;
	}
	fesetround(mode);
	x = nearbyint(x);
	fesetround(FE_TONEAREST);
	if (x <= low)
		return wrapped(type, type_signed(type) ? (uint64_t)1 << (size - 1) : 0);
	if (x >= high)
		return wrapped(type, ((uint64_t)1 << (size - 1)) - (type_signed(type) ? 1 : 0) +
					 (type_signed(type) ? 0 : ((uint64_t)1 << (size - 1)) - 1));
	return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

/* A float of so many bits of precision and this greatest exponent, as 16 bits. */
static uint64_t short_float(int mode, double value, int precision, int greatest)
{
	int least = 1 - greatest, exponent;
	uint64_t sign = signbit(value) ? 0x8000 : 0, infinity;
	volatile double quotient;

	infinity = (uint64_t)(2 * greatest + 1) << (precision - 1);
	if (value != value) {
		operation_unknown = true; /* which NaN is the machine's */
		return 0x7fff;
	}
	if (value == 0)
		return sign;
	if (isinf(value))
		return sign | infinity;
	exponent = ilogb(value);
	if (exponent < least)
		exponent = least;
	quotient = ldexp(value, precision - 1 - exponent);
	fesetround(mode);
	quotient = nearbyint(quotient);
	fesetround(FE_TONEAREST);
	if (fabs(ldexp(quotient, exponent - precision + 1)) >= ldexp(1, greatest + 1))
		return sign | (infinity - (mode == FE_TOWARDZERO || (mode == FE_UPWARD && sign) ||
					   (mode == FE_DOWNWARD && !sign)));
	/* A carry into the exponent is as it should be. */
	return sign |
	       (((uint64_t)(exponent - least) << (precision - 1)) + (uint64_t)fabs(quotient));
}

static double from_short(uint64_t raw, int precision, int greatest)
{
	int exponent = (int)(raw >> (precision - 1)) & (2 * greatest + 1);
	uint64_t fraction = raw & (((uint64_t)1 << (precision - 1)) - 1);
	double value;

	if (exponent == 2 * greatest + 1)
		value = fraction ? (double)NAN : (double)INFINITY;
	else if (exponent == 0)
		value = ldexp((double)fraction, 2 - greatest - precision);
	else
		value = ldexp((double)(fraction | (uint64_t)1 << (precision - 1)),
			      exponent - greatest - precision + 1);
	return raw & 0x8000 ? -value : value;
}

#define OP(name, category, format, result, x, y, z, expression)                                    \
	static uint64_t evaluate_##name(uint64_t a, uint64_t b, uint64_t c)                        \
	{                                                                                          \
		(void)b, (void)c;                                                                  \
		return expression;                                                                 \
	}
#include "tests/differential/operation.def"
#undef OP

const struct operation operations[] = {
#define OP(name, category, format, result, x, y, z, expression)                                    \
	{category, format, result, {x, y, z}, evaluate_##name},
#include "tests/differential/operation.def"
#undef OP
};
const unsigned operations_count = sizeof(operations) / sizeof(operations[0]);
