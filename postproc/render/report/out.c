/* SPDX-License-Identifier: Apache-2.0 */
/* One JSON value written piece by piece into a page. */
#include "postproc/render/report/out.h"

#include <errno.h>

#define REAL_DIGITS 6

void ct_out_init(struct ct_out *out, FILE *file)
{
	ct_json_init(&out->json, file, 0, CT_JSON_ASCII);
}

void ct_out_object(struct ct_out *out, const char *key)
{
	ct_json_open_object(&out->json, key, CT_JSON_COMPACT);
}

void ct_out_array(struct ct_out *out, const char *key)
{
	ct_json_open_array(&out->json, key, CT_JSON_COMPACT);
}

void ct_out_end(struct ct_out *out)
{
	ct_json_close(&out->json);
}

void ct_out_integer(struct ct_out *out, const char *key, uint64_t value)
{
	ct_json_put_number(&out->json, key, value);
}

void ct_out_real(struct ct_out *out, const char *key, double value)
{
	ct_json_put_real(&out->json, key, value, REAL_DIGITS);
}

void ct_out_bool(struct ct_out *out, const char *key, int value)
{
	ct_json_put_bool(&out->json, key, value);
}

void ct_out_text(struct ct_out *out, const char *key, const char *text)
{
	ct_json_put_text(&out->json, key, text);
}

/* An object or an array, member by member */
static void put_members(struct ct_out *out, const char *key, json_t *value)
{
	const char *name;
	json_t *member;
	size_t i;

	if (json_is_array(value)) {
		ct_out_array(out, key);
		json_array_foreach(value, i, member) ct_out_json(out, NULL, json_incref(member));
	} else {
		ct_out_object(out, key);
		json_object_foreach(value, name, member)
		    ct_out_json(out, name, json_incref(member));
	}
	ct_out_end(out);
}

void ct_out_json(struct ct_out *out, const char *key, json_t *value)
{
	if (!value)
		ct_json_fail(&out->json, -ENOMEM);
	if (json_is_array(value) || json_is_object(value))
		put_members(out, key, value);
	else if (json_is_string(value))
		ct_json_put_text(&out->json, key, json_string_value(value));
	else if (json_is_integer(value))
		ct_json_put_signed(&out->json, key, json_integer_value(value));
	else if (json_is_real(value))
		ct_json_put_real(&out->json, key, json_real_value(value), REAL_DIGITS);
	else if (json_is_boolean(value))
		ct_json_put_bool(&out->json, key, json_is_true(value));
	else
		ct_json_put_null(&out->json, key);
	json_decref(value);
}

int ct_out_error(struct ct_out *out)
{
	return ct_json_error(&out->json);
}
