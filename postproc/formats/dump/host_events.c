/* SPDX-License-Identifier: Apache-2.0 */
/* The events of the host side: by the tables of trace/codec/event.h alone. */
#include "postproc/formats/dump/host_events.h"
#include "postproc/formats/dump/fields.h"
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

static void write_several(const struct lines *lines, const struct ct_host_event *event,
			  const struct ct_event_field *field)
{
	for (unsigned i = 0; i < ct_field_count(field->type); i++)
		fprintf(lines->out, "%s%" PRIu64, i ? "," : "",
			ct_event_number(event->header, field, i));
}

static void write_field(const struct lines *lines, const struct ct_host_event *event,
			const struct ct_event_field *field)
{
	fprintf(lines->out, " %s=", field->name);
	if (ct_field_count(field->type) > 1)
		write_several(lines, event, field);
	else
		ct_field_write(lines->out, lines->trace, event->part, field,
			       ct_event_number(event->header, field, 0));
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

static void put_several(struct ct_json *json, const struct ct_host_event *event,
			const struct ct_event_field *field)
{
	ct_json_open_array(json, field->name, CT_JSON_INLINE);
	for (unsigned i = 0; i < ct_field_count(field->type); i++)
		ct_json_put_number(json, NULL, ct_event_number(event->header, field, i));
	ct_json_close(json);
}

static void put_field(const struct lines *lines, struct ct_json *json,
		      const struct ct_host_event *event, const struct ct_event_field *field)
{
	if (ct_field_count(field->type) > 1)
		put_several(json, event, field);
	else
		ct_field_put(json, lines->trace, event->part, field,
			     ct_event_number(event->header, field, 0));
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
