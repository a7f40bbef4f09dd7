/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of events and columns of tables, by what trace/codec says of them alone. */
#include "postproc/formats/dump/fields.h"
#include <inttypes.h>

/* All ones where a field may say that there is no number. */
static bool is_unknown(const struct ct_event_field *field, uint64_t number)
{
	return (field->type == CT_FIELD_KNOWN32 && number == UINT32_MAX) ||
	       (field->type == CT_FIELD_KNOWN64 && number == UINT64_MAX);
}

/* "traced|cooperative", "copy"; numbers without a name as they are. */
static void write_names(FILE *out, const struct ct_event_field *field, uint64_t number)
{
	const char *name = ct_field_value_name(field, (uint32_t)number), *separator = "";

	if (field->type == CT_FIELD_ENUM || number == 0) {
		if (name)
			fputs(name, out);
		else
			fprintf(out, "%" PRIu64, number);
		return;
	}
	for (uint64_t rest = number; rest; rest &= rest - 1, separator = "|") {
		name = ct_field_value_name(field, (uint32_t)(rest & -rest));
		if (name)
			fprintf(out, "%s%s", separator, name);
		else
			fprintf(out, "%s%" PRIu64, separator, rest & -rest);
	}
}

/* In quotes; fields of descriptors, which an unprintable byte separates, with bars between. */
static void write_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc((unsigned char)*text < 0x20 ? '|' : *text, out);
	}
	fputc('"', out);
}

void ct_field_write(FILE *out, const struct ct_trace *trace, uint32_t part,
		    const struct ct_event_field *field, uint64_t number)
{
	if (field->type == CT_FIELD_STR)
		write_text(out, ct_trace_string(trace, part, (uint32_t)number));
	else if (field->type == CT_FIELD_ADDRESS)
		fprintf(out, "0x%" PRIx64, number);
	else if (field->type == CT_FIELD_UNIT)
		fprintf(out, "%016" PRIx64, number);
	else if (field->value_count)
		write_names(out, field, number);
	else if (is_unknown(field, number))
		fputc('-', out);
	else if (field->type == CT_FIELD_I32)
		fprintf(out, "%" PRId64, (int64_t)number);
	else
		fprintf(out, "%" PRIu64, number);
}

static void put_flags(struct ct_json *json, const struct ct_event_field *field, uint64_t number)
{
	ct_json_open_array(json, field->name, CT_JSON_INLINE);
	for (uint64_t rest = number; rest; rest &= rest - 1) {
		const char *name = ct_field_value_name(field, (uint32_t)(rest & -rest));

		if (name)
			ct_json_put_text(json, NULL, name);
		else
			ct_json_put_number(json, NULL, rest & -rest);
	}
	ct_json_close(json);
}

static void put_unit(struct ct_json *json, const char *key, uint64_t unit)
{
	ct_json_put_key(json, key);
	fprintf(json->out, "\"%016" PRIx64 "\"", unit);
}

void ct_field_put(struct ct_json *json, const struct ct_trace *trace, uint32_t part,
		  const struct ct_event_field *field, uint64_t number)
{
	const char *name = ct_field_value_name(field, (uint32_t)number);

	if (field->type == CT_FIELD_FLAGS)
		put_flags(json, field, number);
	else if (field->type == CT_FIELD_STR)
		ct_json_put_text(json, field->name, ct_trace_string(trace, part, (uint32_t)number));
	else if (field->type == CT_FIELD_ADDRESS)
		ct_json_put_address(json, field->name, number);
	else if (field->type == CT_FIELD_UNIT)
		put_unit(json, field->name, number);
	else if (field->type == CT_FIELD_I32)
		ct_json_put_signed(json, field->name, (int64_t)number);
	else if (is_unknown(field, number))
		ct_json_put_null(json, field->name);
	else if (name)
		ct_json_put_text(json, field->name, name);
	else
		ct_json_put_number(json, field->name, number);
}
