/* SPDX-License-Identifier: Apache-2.0 */
/* Objects, lines and operations in words. */
#include "postproc/analysis/check/words.h"
#include "postproc/facts/operation.h"
#include "trace/codec/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ct_check_allocated(const struct ct_object_info *object, struct ct_check_line *line)
{
	char number[16];

	*line = (struct ct_check_line){.line = 0};
	if (!object || *object->site != 'A')
		return;
	ct_site_field(object->site, 1, line->file, sizeof(line->file));
	line->line =
	    (uint32_t)strtoul(ct_site_field(object->site, 2, number, sizeof(number)), NULL, 10);
}

/* One "<length><name>"; its end, NULL: it is none. */
static const char *append_name(const char *at, char buffer[CT_CHECK_NAME_BYTES], size_t *used)
{
	static const char anonymous[] = "_GLOBAL__N_1";
	char *name;
	unsigned long length;
	int written;

	at += *at == 'L';
	length = strtoul(at, &name, 10);
	if (name == at || !length || strlen(name) < length)
		return NULL;
	written = length == sizeof(anonymous) - 1 && !strncmp(name, anonymous, length)
		      ? snprintf(buffer + *used, CT_CHECK_NAME_BYTES - *used,
				 "%s(anonymous namespace)", *used ? "::" : "")
		      : snprintf(buffer + *used, CT_CHECK_NAME_BYTES - *used, "%s%.*s",
				 *used ? "::" : "", (int)length, name);
	*used += (size_t)written;
	return *used < CT_CHECK_NAME_BYTES ? name + length : NULL;
}

const char *ct_check_variable_name(const char *symbol, char buffer[CT_CHECK_NAME_BYTES])
{
	const char *at = strncmp(symbol, "_Z", 2) ? NULL : symbol + 2, *end = "";
	size_t used = 0;

	*buffer = '\0';
	if (at && *at == 'N') {
		end = "E";
		at++;
	}
	do
		at = at ? append_name(at, buffer, &used) : NULL;
	while (at && *end && *at != 'E');
	if (!at || strcmp(at, end) != 0)
		snprintf(buffer, CT_CHECK_NAME_BYTES, "%s", symbol);
	return buffer;
}

const char *ct_check_object_name(const struct ct_object_info *object,
				 char buffer[CT_CHECK_NAME_BYTES])
{
	*buffer = '\0';
	if (object && object->event->kind == CT_OBJECT_VARIABLE)
		return ct_check_variable_name(object->name, buffer);
	if (object && *object->name)
		snprintf(buffer, CT_CHECK_NAME_BYTES, "%s", object->name);
	else if (object)
		snprintf(buffer, CT_CHECK_NAME_BYTES, "object %u", object->event->object);
	return buffer;
}

const char *ct_check_operation(const struct ct_check_cause *cause)
{
	if (cause->unit)
		return ct_operation_text(cause->unit->sites[cause->site].operation);
	return cause->call;
}

uint64_t ct_check_variable_bytes(const struct ct_check_cause *cause)
{
	return cause->unit->sites[cause->site].branch_line & CT_SITE_VARIABLE_BYTES;
}
