/* SPDX-License-Identifier: Apache-2.0 */
/* The events of the host side: by the tables of trace/codec/event.h alone. */
#include "postproc/render/dump/host_events.h"
#include "base/json.h"
#include "trace/codec/event.h"
#include <errno.h>
#include <inttypes.h>

#define STOP_AT_LIMIT 1

struct lines {
	const struct ct_trace *trace;
	FILE *out;
	bool as_json;
	bool with_part;
	uint64_t left;
	uint64_t start_ns; /* of the part: its first event */
};

/* All ones where a field may say that there is no number. */
static bool is_unknown(const struct ct_event_field *field, uint64_t number)
{
	return (field->type == CT_FIELD_KNOWN32 && number == UINT32_MAX) ||
	       (field->type == CT_FIELD_KNOWN64 && number == UINT64_MAX);
}

static void write_extent(const struct lines *lines, const struct ct_host_event *event,
			 const struct ct_event_field *field)
{
	for (unsigned i = 0; i < 3; i++)
		fprintf(lines->out, "%s%" PRIu64, i ? "," : "",
			ct_event_number(event->header, field, i));
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

static void write_field(const struct lines *lines, const struct ct_host_event *event,
			const struct ct_event_field *field)
{
	uint64_t number = ct_event_number(event->header, field, 0);

	fprintf(lines->out, " %s=", field->name);
	if (field->type == CT_FIELD_EXTENT)
		write_extent(lines, event, field);
	else if (field->type == CT_FIELD_STR)
		write_text(lines->out,
			   ct_trace_string(lines->trace, event->part, (uint32_t)number));
	else if (field->type == CT_FIELD_ADDRESS)
		fprintf(lines->out, "0x%" PRIx64, number);
	else if (field->type == CT_FIELD_UNIT)
		fprintf(lines->out, "%016" PRIx64, number);
	else if (field->value_count)
		write_names(lines->out, field, number);
	else if (is_unknown(field, number))
		fputc('-', lines->out);
	else
		fprintf(lines->out, "%" PRId64, (int64_t)number);
}

static void write_line(const struct lines *lines, const struct ct_host_event *event,
		       const struct ct_event_layout *layout)
{
	int64_t since = (int64_t)(event->header->time_ns - lines->start_ns);

	if (lines->with_part)
		fprintf(lines->out, "%" PRIu32 " ", event->part);
	fprintf(lines->out, "%" PRIu64 " %.9f", event->index, (double)since / 1e9);
	if (layout)
		fprintf(lines->out, " %s", layout->name);
	else
		fprintf(lines->out, " kind %u, %" PRIu32 " bytes", event->header->kind,
			event->header->bytes);
	for (uint32_t i = 0; layout && i < layout->field_count; i++)
		if (layout->fields[i].type != CT_FIELD_RESERVED)
			write_field(lines, event, &layout->fields[i]);
	fputc('\n', lines->out);
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

static void put_extent(struct ct_json *json, const struct ct_host_event *event,
		       const struct ct_event_field *field)
{
	ct_json_open_array(json, field->name, CT_JSON_INLINE);
	for (unsigned i = 0; i < 3; i++)
		ct_json_put_number(json, NULL, ct_event_number(event->header, field, i));
	ct_json_close(json);
}

static void put_unit(struct ct_json *json, const char *key, uint64_t unit)
{
	ct_json_put_key(json, key);
	fprintf(json->out, "\"%016" PRIx64 "\"", unit);
}

static void put_field(const struct lines *lines, struct ct_json *json,
		      const struct ct_host_event *event, const struct ct_event_field *field)
{
	uint64_t number = ct_event_number(event->header, field, 0);
	const char *name = ct_field_value_name(field, (uint32_t)number);

	if (field->type == CT_FIELD_EXTENT)
		put_extent(json, event, field);
	else if (field->type == CT_FIELD_FLAGS)
		put_flags(json, field, number);
	else if (field->type == CT_FIELD_STR)
		ct_json_put_text(json, field->name,
				 ct_trace_string(lines->trace, event->part, (uint32_t)number));
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

static void put_object(const struct lines *lines, const struct ct_host_event *event,
		       const struct ct_event_layout *layout)
{
	struct ct_json json;

	ct_json_init(&json, lines->out, 0, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_INLINE);
	if (lines->with_part)
		ct_json_put_number(&json, "part", event->part);
	ct_json_put_number(&json, "index", event->index);
	ct_json_put_number(&json, "time_ns", event->header->time_ns);
	if (layout) {
		ct_json_put_text(&json, "type", layout->name);
	} else {
		ct_json_put_number(&json, "type", event->header->kind);
		ct_json_put_number(&json, "bytes", event->header->bytes);
	}
	for (uint32_t i = 0; layout && i < layout->field_count; i++)
		if (layout->fields[i].type != CT_FIELD_RESERVED)
			put_field(lines, &json, event, &layout->fields[i]);
	ct_json_close(&json);
	fputc('\n', lines->out);
}

static int write_event(void *user, const struct ct_host_event *event)
{
	const struct ct_event_layout *layout = ct_event_layout(event->header->kind);
	struct lines *lines = user;

	if (lines->left-- == 0)
		return STOP_AT_LIMIT;
	if (event->index == 0 || !lines->start_ns)
		lines->start_ns = event->header->time_ns;
	if (lines->as_json)
		put_object(lines, event, layout);
	else
		write_line(lines, event, layout);
	return ferror(lines->out) ? -EIO : 0;
}

int ct_dump_host_events(const struct ct_trace *trace, FILE *out, bool as_json, uint64_t limit)
{
	const struct ct_process_info *processes;
	struct lines lines = {
	    .trace = trace,
	    .out = out,
	    .as_json = as_json,
	    .with_part = ct_trace_processes(trace, &processes) > 1,
	    .left = limit,
	};
	int result = ct_trace_each_event(trace, write_event, &lines);

	return result == STOP_AT_LIMIT ? 0 : result;
}
