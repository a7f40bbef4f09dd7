/* SPDX-License-Identifier: Apache-2.0 */
/* JSON: building blocks on jansson. */
#include "postproc/render/base/json.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

json_t *ct_json_text(const char *text)
{
	json_t *value = json_string(text);
	char *copy;

	if (value)
		return value;
	copy = strdup(text);
	if (!copy)
		return NULL;
	for (char *c = copy; *c; c++)
		if (*c & 0x80)
			*c = '?';
	value = json_string(copy);
	free(copy);
	return value;
}

json_t *ct_json_number(uint64_t number)
{
	return json_integer((json_int_t)number);
}

json_t *ct_json_extent(const uint32_t extent[3])
{
	return json_pack("[I,I,I]", (json_int_t)extent[0], (json_int_t)extent[1],
			 (json_int_t)extent[2]);
}

json_t *ct_json_address(uint64_t address)
{
	return json_sprintf("0x%llx", (unsigned long long)address);
}

int ct_json_write(FILE *out, json_t *value, int indent)
{
	int err;

	if (!value)
		return -ENOMEM;
	err = json_dumpf(value, out, indent ? JSON_INDENT(2) : JSON_COMPACT);
	json_decref(value);
	if (err || fputc('\n', out) == EOF)
		return -EIO;
	return 0;
}
