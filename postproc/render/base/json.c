/* SPDX-License-Identifier: Apache-2.0 */
/* JSON: building blocks on jansson. */
#include "postproc/render/base/json.h"
#include "postproc/facts/operation.h"
#include "postproc/facts/words.h"
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

static json_t *inlined_at(const struct ct_unit *unit, uint32_t frame)
{
	json_t *list = json_array();

	for (uint32_t depth = 0; frame != CT_NONE && depth < 256; depth++) {
		const struct ct_unit_frame *f = &unit->frames[frame];

		json_array_append_new(
		    list, json_pack("{s:o,s:o,s:I,s:I}", "function",
				    ct_json_text(ct_unit_string(unit, f->function)), "file",
				    ct_json_text(ct_unit_string(unit, f->file)), "line",
				    (json_int_t)f->line, "column", (json_int_t)f->column));
		frame = f->inlined_at;
	}
	return list;
}

json_t *ct_json_site(const struct ct_unit *unit, uint32_t index)
{
	const struct ct_unit_site *site = &unit->sites[index];
	char type[32];
	json_t *value = json_object();

	json_object_set_new(value, "site", json_integer(index));
	json_object_set_new(value, "unit",
			    json_sprintf("%016llx", (unsigned long long)unit->header->unit_id));
	json_object_set_new(value, "arch", json_integer(unit->header->arch));
	json_object_set_new(
	    value, "kernel",
	    site->kernel == CT_NONE
		? json_null()
		: ct_json_text(ct_unit_string(unit, unit->kernels[site->kernel].display)));
	json_object_set_new(value, "function", ct_json_text(ct_unit_string(unit, site->function)));
	json_object_set_new(value, "file", ct_json_text(ct_unit_string(unit, site->file)));
	json_object_set_new(value, "line", json_integer(site->line));
	json_object_set_new(value, "column", json_integer(site->column));
	json_object_set_new(value, "operation", json_string(ct_operation_text(site->operation)));
	json_object_set_new(value, "class",
			    json_string(ct_class_text(ct_operation_class(site->operation))));
	json_object_set_new(value, "type", json_string(ct_words_type(site, type, sizeof(type))));
	json_object_set_new(value, "bytes", json_integer(site->bytes));
	json_object_set_new(value, "space", json_string(ct_words_space(site->space)));
	json_object_set_new(value, "verdict", json_string(ct_words_verdict(site)));
	json_object_set_new(value, "reason", ct_json_text(ct_unit_string(unit, site->reason)));
	json_object_set_new(value, "variable", ct_json_text(ct_unit_string(unit, site->variable)));
	json_object_set_new(value, "loop_depth", json_integer(site->loop_depth));
	json_object_set_new(value, "volatile", json_boolean(site->flags & CT_SITE_VOLATILE));
	json_object_set_new(value, "inlined_at", inlined_at(unit, site->inlined_at));
	json_object_set_new(value, "pattern", ct_json_text(ct_unit_string(unit, site->pattern)));
	json_object_set_new(value, "reduction", json_boolean(site->flags & CT_SITE_REDUCTION));
	json_object_set_new(value, "values", json_boolean(site->flags & CT_SITE_VALUES));
	json_object_set_new(value, "range", json_boolean(site->flags & CT_SITE_RANGE));
	return value;
}

json_t *ct_json_line(const struct ct_unit *unit, uint32_t site)
{
	struct ct_place place;

	if (!unit || site >= unit->header->site_count)
		return json_null();
	place = ct_place_of(unit, &unit->sites[site]);
	return json_pack("{s:o,s:I,s:I,s:o,s:I}", "file", ct_json_text(place.file), "line",
			 (json_int_t)place.line, "column", (json_int_t)place.column, "unit",
			 json_sprintf("%016llx", (unsigned long long)unit->header->unit_id), "site",
			 (json_int_t)site);
}

json_t *ct_json_descriptor(const char *descriptor)
{
	static const char *const launch[] = {"file", "line", "column", "function", "kernel"};
	static const char *const allocation[] = {"file",     "line",     "column",
						 "function", "variable", "size"};
	const char *const *names = *descriptor == 'L' ? launch : allocation;
	unsigned count = *descriptor == 'L' ? 5 : 6;
	char field[1024];
	json_t *value;

	if ((*descriptor != 'L' && *descriptor != 'A') || descriptor[1] != '\x1f')
		return json_null();
	value = json_object();
	for (unsigned i = 0; i < count; i++) {
		ct_site_field(descriptor, i + 1, field, sizeof(field));
		if (!strcmp(names[i], "line") || !strcmp(names[i], "column"))
			json_object_set_new(value, names[i], json_integer(strtol(field, NULL, 10)));
		else
			json_object_set_new(value, names[i], ct_json_text(field));
	}
	return value;
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
