/* SPDX-License-Identifier: Apache-2.0 */
/* Values as text. */
#include "postproc/render/base/number.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The number with as few digits as tell it from others of its format. */
static void write_float(const struct ct_number *number, char buffer[CT_NUMBER_TEXT_BYTES])
{
	int most = number->bits == 64 ? 17 : number->bits == 32 ? 9 : 5;

	for (int digits = most - 2; digits <= most; digits++) {
		double back;

		snprintf(buffer, CT_NUMBER_TEXT_BYTES, "%.*g", digits, number->real);
		back = strtod(buffer, NULL);
		if (number->bits == 32)
			back = (double)(float)back;
		if (back == number->real)
			return;
	}
}

const char *ct_number_text(const struct ct_number *number, char buffer[CT_NUMBER_TEXT_BYTES])
{
	int used = 2;

	switch (number->kind) {
	case CT_NUMBER_SIGNED:
		snprintf(buffer, CT_NUMBER_TEXT_BYTES, "%" PRId64, number->integer);
		return buffer;
	case CT_NUMBER_FLOAT:
		if (isnan(number->real)) /* its sign says nothing */
			snprintf(buffer, CT_NUMBER_TEXT_BYTES, "nan");
		else
			write_float(number, buffer);
		return buffer;
	default:
		snprintf(buffer, CT_NUMBER_TEXT_BYTES, "0x");
		for (uint32_t i = number->byte_count; i-- > 0;)
			used += snprintf(buffer + used, CT_NUMBER_TEXT_BYTES - (size_t)used, "%02x",
					 number->bytes[i]);
		return buffer;
	}
}

const char *ct_value_text(const struct ct_unit_site *site, const struct ct_values *values,
			  enum ct_role role, uint32_t lane, char buffer[CT_VALUE_TEXT_BYTES])
{
	uint32_t bytes = values->bytes[role], count;
	struct ct_number number;
	char text[CT_NUMBER_TEXT_BYTES];
	size_t used = 0;

	if (!(values->mask[role] >> lane & 1)) {
		snprintf(buffer, CT_VALUE_TEXT_BYTES, "-");
		return buffer;
	}
	count = ct_number_count(site, bytes);
	for (uint32_t i = 0; i < count && used < CT_VALUE_TEXT_BYTES; i++) {
		ct_number_read(site, values->data[role][lane], bytes, i, &number);
		used += (size_t)snprintf(buffer + used, CT_VALUE_TEXT_BYTES - used, "%s%s",
					 i ? ":" : "", ct_number_text(&number, text));
	}
	return buffer;
}
