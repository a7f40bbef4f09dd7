/* SPDX-License-Identifier: Apache-2.0 */
/* A large JSON object written field by field: what was written is not kept in memory. */
#include "postproc/render/base/json_stream.h"
#include <errno.h>

#define INDENT 2

void ct_json_begin(struct ct_json *json, FILE *out)
{
	ct_json_init(json, out, INDENT, CT_JSON_UTF8);
	ct_json_open_object(json, NULL, CT_JSON_LINES);
}

void ct_json_field(struct ct_json *json, const char *key, json_t *value)
{
	ct_json_put_key(json, key);
	if (!value)
		ct_json_fail(json, -ENOMEM);
	else if (!json->err && json_dumpf(value, json->out, JSON_ENCODE_ANY))
		ct_json_fail(json, -EIO);
	json_decref(value);
}

int ct_json_end(struct ct_json *json)
{
	ct_json_close(json);
	fputc('\n', json->out);
	return ct_json_error(json);
}
