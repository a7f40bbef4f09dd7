/* SPDX-License-Identifier: Apache-2.0 */
/* Values as JSON. */
#include "postproc/formats/dump/value.h"
#include "postproc/render/base/number.h"
#include <math.h>

#define EXACT_MAX (INT64_C(1) << 53) /* larger integers are strings in JSON */
#define REAL_DIGITS 17

static void put_number(struct ct_json *json, const char *key, const struct ct_number *number)
{
	char text[CT_NUMBER_TEXT_BYTES];

	if (number->kind == CT_NUMBER_SIGNED && number->integer <= EXACT_MAX &&
	    number->integer >= -EXACT_MAX)
		ct_json_put_signed(json, key, number->integer);
	else if (number->kind == CT_NUMBER_FLOAT && isfinite(number->real))
		ct_json_put_real(json, key, number->real, REAL_DIGITS);
	else
		ct_json_put_text(json, key, ct_number_text(number, text));
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
