/* SPDX-License-Identifier: Apache-2.0 */
/* Values as text and as JSON. */
#include "postproc/render/base/number.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NUMBER_BYTES 160u
#define EXACT_MAX (INT64_C(1) << 53) /* larger integers are strings in JSON */
#define REAL_DIGITS 17

/* The number with as few digits as tell it from others of its format. */
static void write_float(const struct ct_number *number, char buffer[NUMBER_BYTES])
{
	int most = number->bits == 64 ? 17 : number->bits == 32 ? 9 : 5;

	for (int digits = most - 2; digits <= most; digits++) {
		double back;

		snprintf(buffer, NUMBER_BYTES, "%.*g", digits, number->real);
		back = strtod(buffer, NULL);
		if (number->bits == 32)
			back = (double)(float)back;
		if (back == number->real)
			return;
	}
}

static const char *number_text(const struct ct_number *number, char buffer[NUMBER_BYTES])
{
	int used = 2;

	switch (number->kind) {
	case CT_NUMBER_SIGNED:
		snprintf(buffer, NUMBER_BYTES, "%" PRId64, number->integer);
		return buffer;
	case CT_NUMBER_FLOAT:
		if (isnan(number->real)) /* its sign says nothing */
			snprintf(buffer, NUMBER_BYTES, "nan");
		else
			write_float(number, buffer);
		return buffer;
	default:
		snprintf(buffer, NUMBER_BYTES, "0x");
		for (uint32_t i = number->byte_count; i-- > 0;)
			used += snprintf(buffer + used, NUMBER_BYTES - (size_t)used, "%02x",
					 number->bytes[i]);
		return buffer;
	}
}

const char *ct_value_text(const struct ct_unit_site *site, const struct ct_values *values,
			  enum ct_role role, uint32_t lane, char buffer[CT_VALUE_TEXT_BYTES])
{
	uint32_t bytes = values->bytes[role], count;
	struct ct_number number;
	char text[NUMBER_BYTES];
	size_t used = 0;

	if (!(values->mask[role] >> lane & 1)) {
		snprintf(buffer, CT_VALUE_TEXT_BYTES, "-");
		return buffer;
	}
	count = ct_number_count(site, bytes);
	for (uint32_t i = 0; i < count && used < CT_VALUE_TEXT_BYTES; i++) {
		ct_number_read(site, values->data[role][lane], bytes, i, &number);
		used += (size_t)snprintf(buffer + used, CT_VALUE_TEXT_BYTES - used, "%s%s",
					 i ? ":" : "", number_text(&number, text));
	}
	return buffer;
}

static void put_number(struct ct_json *json, const char *key, const struct ct_number *number)
{
	char text[NUMBER_BYTES];

	if (number->kind == CT_NUMBER_SIGNED && number->integer <= EXACT_MAX &&
	    number->integer >= -EXACT_MAX)
		ct_json_put_signed(json, key, number->integer);
	else if (number->kind == CT_NUMBER_FLOAT && isfinite(number->real))
		ct_json_put_real(json, key, number->real, REAL_DIGITS);
	else
		ct_json_put_text(json, key, number_text(number, text));
}

void ct_value_put(struct ct_json *json, const char *key, const struct ct_unit_site *site,
		  const struct ct_values *values, enum ct_role role, uint32_t lane)
{
	uint32_t bytes = values->bytes[role], count = ct_number_count(site, bytes);
	struct ct_number number;

	if (!(values->mask[role] >> lane & 1)) {
		ct_json_put_null(json, key);
		return;
	}
	if (count != 1)
		ct_json_open_array(json, key, CT_JSON_COMPACT);
	for (uint32_t i = 0; i < count; i++) {
		ct_number_read(site, values->data[role][lane], bytes, i, &number);
		put_number(json, count == 1 ? key : NULL, &number);
	}
	if (count != 1)
		ct_json_close(json);
}
