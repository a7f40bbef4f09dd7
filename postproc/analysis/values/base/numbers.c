/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of an element's type. */
#include "postproc/analysis/values/base/numbers.h"
#include "postproc/facts/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool ct_element_is_float(unsigned type)
{
	uint32_t scalar = CT_VALUES_TYPE_SCALAR(type);

	return scalar == CT_SCALAR_FLOAT || scalar == CT_SCALAR_BFLOAT;
}

static struct ct_number read_number(unsigned type, uint64_t bits)
{
	const uint32_t bytes = CT_VALUES_TYPE_BYTES(type);
	const struct ct_unit_site site = {.scalar = (uint8_t)CT_VALUES_TYPE_SCALAR(type),
					  .scalar_bits = (uint16_t)(8 * bytes),
					  .vector_length = 1};
	struct ct_number number;
	uint8_t data[CT_VALUE_BYTES] = {0};

	memcpy(data, &bits, sizeof(bits));
	ct_number_read(&site, data, bytes, 0, &number);
	return number;
}

bool ct_element_real(unsigned type, uint64_t bits, double *real)
{
	struct ct_number number = read_number(type, bits);

	*real = number.kind == CT_NUMBER_FLOAT ? number.real : (double)number.integer;
	return number.kind != CT_NUMBER_HEX;
}

static uint32_t integer_widths(int64_t value)
{
	uint32_t widths = 0;

	widths |= (uint32_t)(value >= INT8_MIN && value <= INT8_MAX) << CT_VALUES_I8;
	widths |= (uint32_t)(value >= 0 && value <= UINT8_MAX) << CT_VALUES_U8;
	widths |= (uint32_t)(value >= INT16_MIN && value <= INT16_MAX) << CT_VALUES_I16;
	widths |= (uint32_t)(value >= 0 && value <= UINT16_MAX) << CT_VALUES_U16;
	widths |= (uint32_t)(value >= INT32_MIN && value <= INT32_MAX) << CT_VALUES_I32;
	widths |= (uint32_t)(value >= 0 && value <= UINT32_MAX) << CT_VALUES_U32;
	return widths;
}

/* A multiple of 2^-24 below 2048 steps, and so on: what a half holds survives the way back. */
static bool is_half(double real)
{
	int exponent;
	double fraction, scaled;

	if (!isfinite(real) || real == 0)
		return true;
	fraction = frexp(fabs(real), &exponent);
	if (exponent > 16)
		return false;
	scaled = exponent < -13 ? ldexp(fabs(real), 24) : ldexp(fraction, 11);
	return scaled == floor(scaled);
}

static uint32_t float_widths(double real)
{
	uint32_t widths = 0;

	if (fabs(real) <= 4294967296.0 && real == floor(real) && !(real == 0 && signbit(real)))
		widths = integer_widths((int64_t)real);
	widths |= (uint32_t)is_half(real) << CT_VALUES_F16;
	widths |= (uint32_t)(isnan(real) || (double)(float)real == real) << CT_VALUES_F32;
	return widths;
}

uint32_t ct_element_widths(unsigned type, uint64_t bits)
{
	const uint32_t bytes = CT_VALUES_TYPE_BYTES(type);
	struct ct_number number = read_number(type, bits);
	uint32_t widths = 0, narrower = 0;

	if (number.kind == CT_NUMBER_SIGNED)
		widths =
		    integer_widths(number.integer) & ~(1u << CT_VALUES_F16 | 1u << CT_VALUES_F32);
	else if (number.kind == CT_NUMBER_FLOAT)
		widths = float_widths(number.real);
	for (unsigned w = 0; w < CT_VALUES_WIDTHS; w++)
		if (ct_width_bytes((enum ct_values_width)w) < bytes)
			narrower |= 1u << w;
	return widths & narrower;
}

bool ct_element_is_nan(unsigned type, uint64_t bits)
{
	double real;

	return ct_element_is_float(type) && ct_element_real(type, bits, &real) && isnan(real);
}

bool ct_element_is_zero(unsigned type, uint64_t bits)
{
	uint64_t magnitude = bits << (65u - 8u * CT_VALUES_TYPE_BYTES(type)); /* of floats */

	return !bits || (!magnitude && ct_element_is_float(type));
}

/* Floats of one sign are ordered as their bits are. */
bool ct_element_is_near_zero(unsigned type, uint64_t bits)
{
	const uint64_t single = 0x358637bd, full = 0x3d06849b86a12b9b; /* 1e-6f and 1e-14 */

	if (CT_VALUES_TYPE_SCALAR(type) == CT_SCALAR_FLOAT && CT_VALUES_TYPE_BYTES(type) == 4)
		return (bits & 0x7fffffff) < single;
	if (CT_VALUES_TYPE_SCALAR(type) == CT_SCALAR_FLOAT && CT_VALUES_TYPE_BYTES(type) == 8)
		return (bits & INT64_MAX) < full;
	return ct_element_is_zero(type, bits);
}

const char *ct_element_text(unsigned type, uint64_t bits, char buffer[CT_ELEMENT_TEXT_BYTES])
{
	struct ct_number number = read_number(type, bits);

	if (number.kind == CT_NUMBER_FLOAT)
		snprintf(buffer, CT_ELEMENT_TEXT_BYTES, "%.9g", number.real);
	else if (number.kind == CT_NUMBER_SIGNED)
		snprintf(buffer, CT_ELEMENT_TEXT_BYTES, "%lld", (long long)number.integer);
	else
		snprintf(buffer, CT_ELEMENT_TEXT_BYTES, "0x%llx", (unsigned long long)bits);
	return buffer;
}

const char *ct_element_type_text(unsigned type, char buffer[CT_ELEMENT_TEXT_BYTES])
{
	const unsigned bits = 8 * CT_VALUES_TYPE_BYTES(type);

	switch (CT_VALUES_TYPE_SCALAR(type)) {
	case CT_SCALAR_INTEGER:
		snprintf(buffer, CT_ELEMENT_TEXT_BYTES, "int%u", bits);
		break;
	case CT_SCALAR_FLOAT:
		snprintf(buffer, CT_ELEMENT_TEXT_BYTES, "%s",
			 bits == 64   ? "double"
			 : bits == 32 ? "float"
				      : "half");
		break;
	case CT_SCALAR_POINTER:
		snprintf(buffer, CT_ELEMENT_TEXT_BYTES, "pointer");
		break;
	case CT_SCALAR_BFLOAT:
		snprintf(buffer, CT_ELEMENT_TEXT_BYTES, "bfloat16");
		break;
	default:
		snprintf(buffer, CT_ELEMENT_TEXT_BYTES, "%u bits", bits);
	}
	return buffer;
}

static const struct {
	const char *text;
	unsigned bytes;
} width_of[CT_VALUES_WIDTHS] = {
    [CT_VALUES_I8] = {"int8", 1},    [CT_VALUES_U8] = {"uint8", 1},  [CT_VALUES_I16] = {"int16", 2},
    [CT_VALUES_U16] = {"uint16", 2}, [CT_VALUES_F16] = {"half", 2},  [CT_VALUES_I32] = {"int32", 4},
    [CT_VALUES_U32] = {"uint32", 4}, [CT_VALUES_F32] = {"float", 4},
};

const char *ct_width_text(enum ct_values_width width)
{
	return width_of[width].text;
}

unsigned ct_width_bytes(enum ct_values_width width)
{
	return width_of[width].bytes;
}

/* The seed's code keeps so many bits of the mantissa, by level (seed 002's redshow). */
uint64_t ct_values_precision_mask(unsigned type, unsigned level)
{
	static const uint8_t single[] = {23, 20, 15, 11, 7, 3}, full[] = {52, 46, 36, 28, 20, 12};

	if (CT_VALUES_TYPE_SCALAR(type) != CT_SCALAR_FLOAT || !level)
		return UINT64_MAX;
	if (CT_VALUES_TYPE_BYTES(type) == 4)
		return UINT64_MAX << (23u - single[level]);
	return CT_VALUES_TYPE_BYTES(type) == 8 ? UINT64_MAX << (52u - full[level]) : UINT64_MAX;
}
