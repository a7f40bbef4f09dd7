/* SPDX-License-Identifier: Apache-2.0 */
/* The values of one access, and the numbers that they are. */
#include "postproc/facts/values.h"
#include <math.h>
#include <string.h>

#define PARTS_PER_ROLE 4u

void ct_values_clear(struct ct_values *values)
{
	for (int role = 0; role < CT_ROLES; role++) {
		values->mask[role] = 0;
		values->bytes[role] = 0;
	}
}

void ct_values_add(struct ct_values *values, const struct ct_value *value)
{
	uint32_t role = value->part / PARTS_PER_ROLE;
	uint32_t from = value->part % PARTS_PER_ROLE * CT_VALUE_BYTES_MAX;

	if (role >= CT_ROLES)
		return;
	for (uint32_t rest = value->at->mask; rest; rest &= rest - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(rest);

		if (!(values->mask[role] >> lane & 1))
			memset(values->data[role][lane], 0, CT_VALUE_BYTES);
		memcpy(values->data[role][lane] + from, value->data[lane], value->bytes);
	}
	values->mask[role] |= value->at->mask;
	if (values->bytes[role] < from + value->bytes)
		values->bytes[role] = from + value->bytes;
}

const char *ct_role_text(enum ct_role role)
{
	static const char *const text[CT_ROLES] = {"value", "compare", "returned"};

	return text[role];
}

static uint32_t element_bytes(const struct ct_unit_site *site)
{
	return (site->scalar_bits + 7u) / 8u;
}

uint32_t ct_number_count(const struct ct_unit_site *site, uint32_t bytes)
{
	uint32_t size = element_bytes(site);

	if (site->scalar == CT_SCALAR_UNKNOWN || !size || size * site->vector_length != bytes)
		return 1;
	return site->vector_length;
}

/* IEEE 754 and bfloat16, of 16 bits. */
static double half_of(uint16_t bits)
{
	double sign = bits >> 15 ? -1 : 1;
	int exponent = bits >> 10 & 31, fraction = bits & 1023;

	if (exponent == 31)
		return fraction ? (double)NAN : sign * (double)INFINITY;
	if (exponent == 0)
		return sign * ldexp(fraction, -24);
	return sign * ldexp(1024 + fraction, exponent - 25);
}

static double float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return (double)value;
}

static double double_of(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Fill in a FLOAT; 0 if there is no such format. */
static int read_float(const struct ct_unit_site *site, uint64_t bits, struct ct_number *number)
{
	number->bits = site->scalar_bits;
	if (site->scalar == CT_SCALAR_BFLOAT && site->scalar_bits == 16)
		number->real = float_of((uint32_t)bits << 16);
	else if (site->scalar == CT_SCALAR_FLOAT && site->scalar_bits == 16)
		number->real = half_of((uint16_t)bits);
	else if (site->scalar == CT_SCALAR_FLOAT && site->scalar_bits == 32)
		number->real = float_of((uint32_t)bits);
	else if (site->scalar == CT_SCALAR_FLOAT && site->scalar_bits == 64)
		number->real = double_of(bits);
	else
		return 0;
	number->kind = CT_NUMBER_FLOAT;
	return 1;
}

void ct_number_read(const struct ct_unit_site *site, const uint8_t *data, uint32_t bytes,
		    uint32_t i, struct ct_number *number)
{
	uint32_t count = ct_number_count(site, bytes), size = bytes / count;
	uint64_t bits = 0;

	data += i * size;
	number->byte_count = size;
	memcpy(number->bytes, data, size);
	number->kind = CT_NUMBER_HEX;
	if (size > sizeof(bits) || size != element_bytes(site))
		return;
	memcpy(&bits, data, size);
	if (site->scalar == CT_SCALAR_INTEGER) {
		uint32_t unused = 64u - site->scalar_bits;

		number->kind = CT_NUMBER_SIGNED;
		number->integer = (int64_t)(bits << unused) >> unused;
		/* A truth value is no number that could be negative. */
		if (site->scalar_bits == 1)
			number->integer = (int64_t)(bits & 1);
		return;
	}
	read_float(site, bits, number);
}
