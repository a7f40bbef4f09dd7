/* SPDX-License-Identifier: Apache-2.0 */
/* Values as the numbers that their sites say they are. */
#include "postproc/facts/values.h"
#include "postproc/formats/dump/fields.h"
#include "postproc/formats/dump/value.h"
#include "postproc/render/base/number.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct ct_values values;

/* The text of a value of bytes at a site of this type. */
static const char *text(uint8_t scalar, uint16_t bits, uint16_t length, const void *data,
			uint32_t bytes)
{
	static char buffer[CT_VALUE_TEXT_BYTES];
	const struct ct_access at = {.mask = 1u << 3};
	const struct ct_unit_site site = {
	    .bytes = bytes,
	    .scalar = scalar,
	    .scalar_bits = bits,
	    .vector_length = length,
	};

	ct_values_clear(&values);
	for (uint32_t from = 0; from < bytes; from += CT_VALUE_BYTES_MAX) {
		struct ct_value part = {.at = &at, .part = from / CT_VALUE_BYTES_MAX};

		part.bytes = bytes - from < CT_VALUE_BYTES_MAX ? bytes - from : CT_VALUE_BYTES_MAX;
		memcpy(part.data[3], (const char *)data + from, part.bytes);
		ct_values_add(&values, &part);
	}
	return ct_value_text(&site, &values, CT_ROLE_VALUE, 3, buffer);
}

#define TEXT(scalar, bits, length, type, ...)                                                      \
	text(scalar, bits, length, (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}))

Test(values, integers_are_signed)
{
	cr_expect_str_eq(TEXT(CT_SCALAR_INTEGER, 32, 1, uint32_t, 0xffffffff), "-1");
	cr_expect_str_eq(TEXT(CT_SCALAR_INTEGER, 8, 1, uint8_t, 0x80), "-128");
	cr_expect_str_eq(TEXT(CT_SCALAR_INTEGER, 64, 1, uint64_t, 1ull << 63),
			 "-9223372036854775808");
	cr_expect_str_eq(TEXT(CT_SCALAR_INTEGER, 16, 4, uint16_t, 1, 2, 0xfffd, 4), "1:2:-3:4");
	cr_expect_str_eq(TEXT(CT_SCALAR_INTEGER, 1, 1, uint8_t, 1), "1");
}

Test(values, floats_of_every_width_are_numbers)
{
	cr_expect_str_eq(TEXT(CT_SCALAR_FLOAT, 32, 1, float, 0.1f), "0.1");
	cr_expect_str_eq(TEXT(CT_SCALAR_FLOAT, 64, 1, double, 0.1), "0.1");
	cr_expect_str_eq(TEXT(CT_SCALAR_FLOAT, 64, 1, double, 1.0 / 3), "0.3333333333333333");
	cr_expect_str_eq(TEXT(CT_SCALAR_FLOAT, 32, 2, float, -0.0f, 1e30f), "-0:1e+30");
	cr_expect_str_eq(TEXT(CT_SCALAR_FLOAT, 16, 1, uint16_t, 0x3c00), "1");
	cr_expect_str_eq(TEXT(CT_SCALAR_FLOAT, 16, 1, uint16_t, 0x7bff), "65504");
	cr_expect_str_eq(TEXT(CT_SCALAR_FLOAT, 16, 1, uint16_t, 0x0001), "5.9605e-08");
	cr_expect_str_eq(TEXT(CT_SCALAR_FLOAT, 16, 2, uint16_t, 0xfc00, 0x7e00), "-inf:nan");
	cr_expect_str_eq(TEXT(CT_SCALAR_FLOAT, 16, 1, uint16_t, 0x3555), "0.33325");
	cr_expect_str_eq(TEXT(CT_SCALAR_BFLOAT, 16, 2, uint16_t, 0x3f80, 0xc0a0), "1:-5");
	cr_expect_str_eq(TEXT(CT_SCALAR_BFLOAT, 16, 1, uint16_t, 0x7f80), "inf");
}

Test(values, the_rest_is_hexadecimal)
{
	cr_expect_str_eq(TEXT(CT_SCALAR_POINTER, 64, 1, uint64_t, 0x7f0000001000),
			 "0x00007f0000001000");
	cr_expect_str_eq(TEXT(CT_SCALAR_UNKNOWN, 0, 1, uint8_t, 1, 2, 3), "0x030201");
	cr_expect_str_eq(TEXT(CT_SCALAR_INTEGER, 128, 1, uint64_t, 1, 2),
			 "0x00000000000000020000000000000001");
	/* The type does not fit the bytes. */
	cr_expect_str_eq(TEXT(CT_SCALAR_INTEGER, 32, 4, uint16_t, 7, 0, 1), "0x000100000007");
	cr_expect_str_eq(TEXT(CT_SCALAR_FLOAT, 8, 1, uint8_t, 0x38), "0x38");
}

Test(values, wide_ones_are_put_together_from_parts)
{
	cr_expect_str_eq(TEXT(CT_SCALAR_FLOAT, 64, 4, double, 1, -2, 3, 1e300), "1:-2:3:1e+300");
	cr_expect_str_eq(TEXT(CT_SCALAR_INTEGER, 64, 8, int64_t, 1, 2, 3, 4, 5, 6, 7, -8),
			 "1:2:3:4:5:6:7:-8");
}

/* The lane's value as JSON; freed by the caller. */
static char *json_of(const struct ct_unit_site *site, enum ct_role role, uint32_t lane)
{
	char *encoded = NULL;
	size_t bytes;
	FILE *out = open_memstream(&encoded, &bytes);
	struct ct_json json;

	ct_json_init(&json, out, 0, CT_JSON_UTF8);
	ct_value_put(&json, NULL, site, &values, role, lane);
	fclose(out);
	return encoded;
}

Test(values, a_lane_without_one_says_so)
{
	const struct ct_unit_site site = {.scalar = CT_SCALAR_INTEGER, .scalar_bits = 32};
	char buffer[CT_VALUE_TEXT_BYTES], *none;

	ct_values_clear(&values);
	cr_expect_str_eq(ct_value_text(&site, &values, CT_ROLE_RETURNED, 0, buffer), "-");
	none = json_of(&site, CT_ROLE_RETURNED, 0);
	cr_expect_str_eq(none, "null");
	free(none);
}

static void expect_json(uint8_t scalar, uint16_t bits, const void *data, uint32_t bytes,
			const char *expected)
{
	const struct ct_unit_site site = {
	    .scalar = scalar, .scalar_bits = bits, .vector_length = 1, .bytes = bytes};
	char *encoded;

	text(scalar, bits, 1, data, bytes);
	encoded = json_of(&site, CT_ROLE_VALUE, 3);
	cr_expect_str_eq(encoded, expected);
	free(encoded);
}

Test(values, json_has_strings_where_its_numbers_fall_short)
{
	const uint64_t large = 1ull << 60, small = 12;
	const float infinite = __builtin_inff(), half = 0.5f;

	expect_json(CT_SCALAR_INTEGER, 64, &large, 8, "\"1152921504606846976\"");
	expect_json(CT_SCALAR_INTEGER, 64, &small, 8, "12");
	expect_json(CT_SCALAR_FLOAT, 32, &infinite, 4, "\"inf\"");
	expect_json(CT_SCALAR_FLOAT, 32, &half, 4, "0.5");
}

/* As `dump --host-events` prints a field of the type. */
static const char *field_text(enum ct_field_type type, uint64_t number)
{
	static char buffer[64];
	const struct ct_event_field field = {.name = "x", .type = type};
	FILE *out = fmemopen(buffer, sizeof(buffer), "w");

	ct_field_write(out, NULL, 0, &field, number);
	fclose(out);
	return buffer;
}

Test(fields, are_signed_where_their_type_is)
{
	cr_assert_str_eq(field_text(CT_FIELD_U64, UINT64_MAX - 1), "18446744073709551614");
	cr_assert_str_eq(field_text(CT_FIELD_U32, UINT32_MAX), "4294967295");
	cr_assert_str_eq(field_text(CT_FIELD_I32, (uint64_t)-2), "-2");
}
