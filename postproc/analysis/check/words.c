/* SPDX-License-Identifier: Apache-2.0 */
/* Objects, lines and operations in words. */
#include "postproc/analysis/check/words.h"
#include "postproc/facts/operation.h"
#include "trace/codec/site.h"

#include <stdio.h>
#include <stdlib.h>

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

const char *ct_check_object_name(const struct ct_object_info *object,
				 char buffer[CT_CHECK_NAME_BYTES])
{
	*buffer = '\0';
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
