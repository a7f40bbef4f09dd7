/* SPDX-License-Identifier: Apache-2.0 */
/* Events of every kind, by the tables of trace/codec/event.h: new kinds are tested with the others.
 */
#include "tests/unit/trace/trace_fixture.h"
#include "trace/codec/event.h"
#include "trace/read/reader.h"
#include "trace/write/writer.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define EVENT_BYTES_MAX 512u
#define UNKNOWN_KIND 999u

static char *directory;
static struct ct_trace *trace;

static void remove_directory(void)
{
	ct_trace_close(trace);
	fixture_remove(directory);
}

/* A number that the field may have, another for each field. */
static uint64_t number_for(const struct ct_event_field *field, uint32_t i)
{
	if (field->type == CT_FIELD_RESERVED || field->type == CT_FIELD_STR)
		return 0;
	return field->value_count ? field->values[field->value_count - 1].number : 100 + i;
}

/* Written field by field, not by the struct. */
static void fill(void *event, const struct ct_event_layout *layout)
{
	struct ct_event_header header = {
	    .kind = layout->kind, .bytes = layout->bytes, .time_ns = layout->kind};

	memset(event, 0, layout->bytes);
	memcpy(event, &header, sizeof(header));
	for (uint32_t i = 0; i < layout->field_count; i++) {
		const struct ct_event_field *field = &layout->fields[i];
		uint32_t end = i + 1 < layout->field_count ? field[1].at : layout->bytes;
		uint64_t number = number_for(field, i);

		memcpy((char *)event + field->at, &number, end - field->at < 8 ? 4 : 8);
	}
}

static void open_written(void)
{
	char why[512];

	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
}

static struct ct_writer *begin(void)
{
	const struct ct_writer_options options = {.level = 1};
	struct ct_writer *writer;
	char why[512];

	directory = fixture_directory();
	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
	return writer;
}

static void check_fields(const struct ct_host_event *event, const struct ct_event_layout *layout)
{
	cr_assert_eq(event->header->kind, layout->kind);
	for (uint32_t i = 0; i < layout->field_count; i++)
		cr_expect_eq(ct_event_number(event->header, &layout->fields[i], 0),
			     number_for(&layout->fields[i], i), "%s.%s", layout->name,
			     layout->fields[i].name);
}

static int check_next(void *user, const struct ct_host_event *event)
{
	uint16_t *kind = user;

	while (!ct_event_layout(++*kind))
		;
	check_fields(event, ct_event_layout(*kind));
	return 0;
}

Test(events, of_every_kind_come_back_with_their_fields, .fini = remove_directory)
{
	_Alignas(8) char bytes[EVENT_BYTES_MAX];
	struct ct_writer *writer = begin();
	const struct ct_host_event *events;
	uint16_t last = 0;
	uint64_t index = 0;

	for (uint16_t kind = 1; kind < CT_EVENT_KINDS; kind++)
		if (ct_event_layout(kind)) {
			cr_assert_leq(ct_event_layout(kind)->bytes, sizeof(bytes));
			fill(bytes, ct_event_layout(kind));
			cr_assert_eq(ct_writer_event(writer, (void *)bytes), 0);
		}
	ct_writer_close(writer);
	open_written();
	for (uint16_t kind = 1; kind < CT_EVENT_KINDS; kind++)
		if (ct_event_layout(kind)) {
			cr_assert_eq(ct_trace_events(trace, kind, &events), 1, "kind %u", kind);
			cr_expect_eq(events[0].index, index++);
			cr_expect_eq(events[0].part, 0);
			check_fields(&events[0], ct_event_layout(kind));
		}
	cr_assert_eq(ct_trace_each_event(trace, check_next, &last), 0);
	cr_assert_eq(last, CT_EVENT_KINDS - 1);
}

static int count_kinds(void *user, const struct ct_host_event *event)
{
	unsigned *count = user;

	count[event->header->kind == UNKNOWN_KIND]++;
	cr_assert_eq(event->index, count[0] + count[1] - 1);
	return count[1] == 2 ? 77 : 0;
}

Test(events, of_a_later_version_are_handed_out_but_in_no_table, .fini = remove_directory)
{
	struct {
		struct ct_event_header header;
		uint64_t more[3];
	} later = {.header = {.kind = UNKNOWN_KIND, .bytes = sizeof(later)}};
	struct ct_event_stored stored = {.launch = 1};
	struct ct_writer *writer = begin();
	const struct ct_host_event *events;
	unsigned count[2] = {0, 0};

	for (int i = 0; i < 3; i++) {
		ct_writer_event(writer, &later.header);
		ct_writer_event(writer, ct_event_stored_header(&stored));
	}
	ct_writer_close(writer);
	open_written();
	cr_assert_eq(ct_trace_events(trace, CT_EVENT_STORED, &events), 3);
	cr_assert_eq(events[2].index, 5);
	cr_assert_eq(ct_trace_each_event(trace, count_kinds, count), 77,
		     "stops when it is asked to");
	cr_assert_eq(count[0], 1);
}

Test(events, of_an_earlier_version_read_as_zeros_where_they_end)
{
	struct ct_event_launch launch = {.launch = 3, .correlation = 5, .tier = 7, .context = 9};
	const struct ct_event_layout *layout = ct_event_layout(CT_EVENT_LAUNCH);
	size_t at = 0;

	ct_event_launch_header(&launch);
	cr_assert_eq(launch.header.bytes, 136);
	launch.header.bytes = 112;
	cr_assert_eq(ct_event_next(&launch, sizeof(launch), &at), &launch.header);
	cr_assert_eq(at, 112);
	for (uint32_t i = 0; i < layout->field_count; i++) {
		const struct ct_event_field *field = &layout->fields[i];
		uint64_t number = ct_event_number(&launch.header, field, 0);

		cr_expect_eq(number,
			     !strcmp(field->name, "launch")        ? 3
			     : !strcmp(field->name, "correlation") ? 5
								   : 0,
			     "%s", field->name);
		cr_expect_eq(field->since > 1, field->at >= 112, "%s", field->name);
	}
}

Test(events, that_cannot_be_end_the_walk_before_them)
{
	struct ct_event_launch event[2];
	size_t at;

	static const struct {
		uint32_t bytes;
		size_t payload;
	} bad[] = {
	    {104, sizeof(event)},         /* less than version 1 had */
	    {114, sizeof(event)},         /* not a multiple of 8 */
	    {0, sizeof(event)},           /* no end */
	    {136, sizeof(event) - 8},     /* beyond the payload */
	    {136, sizeof(event[0]) + 8},  /* not even a header */
	    {0xfffffff8u, sizeof(event)}, /* wraps */
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memset(event, 0, sizeof(event));
		ct_event_launch_header(&event[0]);
		ct_event_launch_header(&event[1])->bytes = bad[i].bytes;
		at = 0;
		cr_assert_not_null(ct_event_next(event, bad[i].payload, &at));
		cr_assert_null(ct_event_next(event, bad[i].payload, &at), "case %zu", i);
		cr_assert_eq(at, sizeof(event[0]), "case %zu", i);
	}
}

Test(events, signed_numbers_extents_and_names_are_those_of_their_field)
{
	struct ct_event_launch_done done = {.error = -3};
	struct ct_event_launch launch = {.grid = {4, 5, 6}, .flags = CT_LAUNCH_COOPERATIVE};
	const struct ct_event_field *error = &ct_event_layout(CT_EVENT_LAUNCH_DONE)->fields[1];
	const struct ct_event_field *field = ct_event_layout(CT_EVENT_LAUNCH)->fields;

	cr_assert_eq((int64_t)ct_event_number(ct_event_launch_done_header(&done), error, 0), -3);
	while (strcmp(field->name, "grid") != 0)
		field++;
	cr_assert_eq(field->type, CT_FIELD_EXTENT);
	for (unsigned i = 0; i < 3; i++)
		cr_expect_eq(ct_event_number(ct_event_launch_header(&launch), field, i), 4 + i);
	while (strcmp(field->name, "flags") != 0)
		field++;
	cr_assert_str_eq(ct_field_value_name(field, CT_LAUNCH_COOPERATIVE), "cooperative");
	cr_assert_null(ct_field_value_name(field, 4));
	cr_assert_null(ct_event_layout(0));
	cr_assert_null(ct_event_layout(CT_EVENT_KINDS));
}
