/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers, order and streams come back as they were written; what is damaged is left out. */
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *directory;
static struct ct_trace *trace;
static struct ct_writer *writer;
static char why[512];

static void make(void)
{
	const struct ct_writer_options options = {.level = 1};

	directory = fixture_directory();
	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
}

static void clean(void)
{
	ct_trace_close(trace);
	fixture_remove(directory);
}

TestSuite(transfers, .init = make, .fini = clean);

static struct ct_event_transfer make_transfer(uint32_t id, uint32_t kind, const char *call)
{
	struct ct_event_transfer event = {
	    .header = {CT_EVENT_TRANSFER, 0, sizeof(event), 1000 + id},
	    .target = FIXTURE_X + id,
	    .source = kind == CT_TRANSFER_COPY ? FIXTURE_Y + id : 0,
	    .width = 64,
	    .height = 1,
	    .depth = 1,
	    .stream = id % 3,
	    .transfer = id,
	    .kind = kind,
	    .flags = CT_TRANSFER_WAITED,
	    .device = 1,
	    .thread = 4711,
	};

	ct_writer_string(writer, call, &event.call);
	return event;
}

static void put(const void *event)
{
	cr_assert_eq(ct_writer_event(writer, event), 0);
}

static void put_transfer(uint32_t id, uint32_t kind, const char *call)
{
	const struct ct_event_transfer event = make_transfer(id, kind, call);

	put(&event);
}

static void put_order(uint32_t kind, uint64_t stream, uint64_t event_id)
{
	const struct ct_event_order event = {
	    .header = {CT_EVENT_ORDER, 0, sizeof(event), 2000},
	    .stream = stream,
	    .event = event_id,
	    .kind = kind,
	    .device = 1,
	    .thread = 4711,
	};

	put(&event);
}

static void put_stream(uint64_t stream, uint32_t flags)
{
	const struct ct_event_stream event = {
	    .header = {CT_EVENT_STREAM, 0, sizeof(event), 3000},
	    .stream = stream,
	    .flags = flags,
	    .device = 1,
	};

	put(&event);
}

static void finish(size_t warnings_expected)
{
	const char *const *warnings;
	size_t count;

	cr_assert_eq(ct_writer_manifest(writer, "{}"), 0);
	cr_assert_eq(ct_writer_close(writer), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	count = ct_trace_warnings(trace, &warnings);
	cr_assert_eq(count, warnings_expected, "%s", count ? warnings[0] : "no warning");
}

Test(transfers, come_back_in_their_places)
{
	const struct ct_transfer_info *transfers;
	const struct ct_host_event *orders;
	const struct ct_host_event *streams;

	put_stream(5, CT_STREAM_NON_BLOCKING);
	put_transfer(1, CT_TRANSFER_COPY, "cudaMemcpy");
	put_order(CT_ORDER_RECORD, 5, 9);
	put_transfer(2, CT_TRANSFER_SET, "cudaMemset");
	put_order(CT_ORDER_DEVICE, 0, 0);
	put_stream(5, CT_STREAM_DESTROYED);
	finish(0);
	cr_assert_eq(ct_trace_transfers(trace, &transfers), 2);
	cr_assert_str_eq(transfers[0].call, "cudaMemcpy");
	cr_assert_str_eq(transfers[1].call, "cudaMemset");
	cr_assert_eq(transfers[0].event_index, 1);
	cr_assert_eq(transfers[1].event_index, 3);
	cr_assert_eq(transfers[0].event->source, FIXTURE_Y + 1);
	cr_assert_eq(transfers[1].event->kind, CT_TRANSFER_SET);
	cr_assert_eq(transfers[1].event->width, 64);
	cr_assert_eq(ct_trace_events(trace, CT_EVENT_ORDER, &orders), 2);
	cr_assert_eq(orders[0].order->kind, CT_ORDER_RECORD);
	cr_assert_eq(orders[0].order->stream, 5);
	cr_assert_eq(orders[0].order->event, 9);
	cr_assert_eq(orders[1].index, 4);
	cr_assert_eq(ct_trace_events(trace, CT_EVENT_STREAM, &streams), 2);
	cr_assert_eq(streams[0].stream->flags, CT_STREAM_NON_BLOCKING);
	cr_assert_eq(streams[1].stream->flags, CT_STREAM_DESTROYED);
	cr_assert_eq(streams[1].index, 5);
}

Test(transfers, of_several_parts_have_their_own_names)
{
	const struct ct_writer_options options = {.part = 1, .level = 1};
	const struct ct_transfer_info *transfers;

	put_transfer(1, CT_TRANSFER_COPY, "first");
	cr_assert_eq(ct_writer_close(writer), 0);
	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
	put_transfer(1, CT_TRANSFER_COPY, "second");
	put_transfer(2, CT_TRANSFER_COPY, "");
	finish(0);
	cr_assert_eq(ct_trace_transfers(trace, &transfers), 3);
	cr_assert_eq(transfers[0].part, 0);
	cr_assert_str_eq(transfers[0].call, "first");
	cr_assert_eq(transfers[1].part, 1);
	cr_assert_str_eq(transfers[1].call, "second");
	cr_assert_str_eq(transfers[2].call, "");
}

Test(transfers, with_fields_of_later_versions_are_read)
{
	struct {
		struct ct_event_transfer event;
		uint64_t later[3];
	} longer = {.event = make_transfer(7, CT_TRANSFER_COPY, "cudaMemcpyLater")};
	const struct ct_event_header unknown = {200, 0, sizeof(unknown), 1};
	const struct ct_transfer_info *transfers;

	longer.event.header.bytes = sizeof(longer);
	memset(longer.later, 0xff, sizeof(longer.later));
	put(&unknown);
	put(&longer);
	put_transfer(8, CT_TRANSFER_SET, "cudaMemset");
	finish(0);
	cr_assert_eq(ct_trace_transfers(trace, &transfers), 2);
	cr_assert_str_eq(transfers[0].call, "cudaMemcpyLater");
	cr_assert_eq(transfers[0].event_index, 1);
	cr_assert_eq(transfers[1].event->transfer, 8);
	cr_assert_eq(transfers[1].event_index, 2);
}

Test(transfers, of_earlier_files_have_no_value)
{
	struct ct_event_transfer event = make_transfer(1, CT_TRANSFER_SET, "cudaMemset");
	const struct ct_host_event *events;

	event.value = 7;
	event.value_bytes = 4;
	event.header.bytes = offsetof(struct ct_event_transfer, value);
	put(&event);
	finish(0);
	cr_assert_eq(ct_trace_events(trace, CT_EVENT_TRANSFER, &events), 1);
	cr_assert_eq(events[0].transfer->value_bytes, 0);
}

Test(transfers, that_are_too_short_end_their_chunk)
{
	struct ct_event_transfer event = make_transfer(2, CT_TRANSFER_COPY, "cudaMemcpy");
	const struct ct_transfer_info *transfers;
	const char *const *warnings;

	put_transfer(1, CT_TRANSFER_COPY, "cudaMemcpy");
	event.header.bytes = offsetof(struct ct_event_transfer, value) - 8;
	put(&event);
	put_transfer(3, CT_TRANSFER_COPY, "cudaMemcpy");
	finish(1);
	cr_assert_eq(ct_trace_transfers(trace, &transfers), 1);
	ct_trace_warnings(trace, &warnings);
	cr_assert(strstr(warnings[0], "not a cuda-trace file or damaged"), "%s", warnings[0]);
}

/* Warnings of a trace of which it is one transfer; what it is to be otherwise is set before. */
static void finish_with(const struct ct_event_transfer *event, size_t transfers_expected)
{
	const struct ct_transfer_info *transfers;

	put(event);
	finish(1 - transfers_expected);
	cr_assert_eq(ct_trace_transfers(trace, &transfers), transfers_expected);
}

Test(transfers, that_leave_the_address_space_are_left_out)
{
	struct ct_event_transfer event = make_transfer(3, CT_TRANSFER_COPY, "cudaMemcpy3D");
	const char *const *warnings;

	event.height = 3;
	event.source_row = UINT64_MAX / 2;
	finish_with(&event, 0);
	ct_trace_warnings(trace, &warnings);
	cr_assert_str_eq(warnings[0],
			 "events-0.ct: transfer 3 reaches beyond the address space; left out");
}

Test(transfers, may_end_with_the_address_space)
{
	struct ct_event_transfer event = make_transfer(3, CT_TRANSFER_SET, "cudaMemset");

	event.target = UINT64_MAX - 63;
	event.source_row = UINT64_MAX; /* a memset has no source */
	event.target_row = UINT64_MAX; /* there is one row */
	finish_with(&event, 1);
}

Test(transfers, of_nothing_are_sound)
{
	struct ct_event_transfer event = make_transfer(3, CT_TRANSFER_COPY, "cudaMemcpy");

	event.width = 0;
	event.height = UINT64_MAX;
	event.target_row = UINT64_MAX;
	finish_with(&event, 1);
}

Test(transfers, of_unknown_kinds_are_left_out_with_a_word)
{
	const struct ct_host_event *orders;
	const char *const *warnings;

	put_transfer(1, 77, "cudaMemcpyLater");
	put_transfer(2, 77, "cudaMemcpyLater");
	put_order(CT_ORDER_WAIT + 1, 0, 0);
	put_order(CT_ORDER_WAIT, 1, 2);
	finish(2);
	ct_trace_warnings(trace, &warnings);
	cr_assert_str_eq(warnings[0], "events-0.ct: transfers of unknown kind 77 are left out");
	cr_assert_str_eq(warnings[1], "events-0.ct: order events of unknown kind 6 are left out");
	cr_assert_eq(ct_trace_events(trace, CT_EVENT_ORDER, &orders), 1);
	cr_assert_eq(orders[0].index, 3);
}

Test(transfers, after_a_lost_chunk_keep_their_places)
{
	const struct ct_transfer_info *transfers;
	const struct ct_host_event *orders;
	const char *const *warnings;
	size_t bytes, first;
	uint32_t coded;
	char *content;

	put_order(CT_ORDER_DEVICE, 0, 0);
	put_order(CT_ORDER_DEVICE, 0, 0);
	ct_writer_flush(writer);
	put_transfer(1, CT_TRANSFER_COPY, "cudaMemcpy");
	finish(0);
	ct_trace_close(trace);
	content = fixture_read(directory, "events-0.ct", &bytes);
	memcpy(&coded, content + 16, sizeof(coded));
	first = sizeof(struct ct_chunk_header) + coded;
	fixture_write(directory, "events-0.ct", content + first, bytes - first);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_trace_warnings(trace, &warnings), 1);
	cr_assert_str_eq(warnings[0], "events-0.ct: events 0 to 1 are missing");
	cr_assert_eq(ct_trace_events(trace, CT_EVENT_ORDER, &orders), 0);
	cr_assert_eq(ct_trace_transfers(trace, &transfers), 1);
	cr_assert_eq(transfers[0].event_index, 2);
	cr_assert_str_eq(transfers[0].call, "cudaMemcpy");
	free(content);
}

Test(transfers, of_a_file_cut_anywhere_are_those_of_whole_chunks)
{
	const struct ct_transfer_info *transfers;
	size_t bytes, last = 0, most = 0;
	char *content;

	for (uint32_t id = 1; id <= 5; id++) {
		put_transfer(id, CT_TRANSFER_COPY, "cudaMemcpy");
		ct_writer_flush(writer);
	}
	finish(0);
	content = fixture_read(directory, "events-0.ct", &bytes);
	for (size_t cut = 0; cut <= bytes; cut++) {
		struct ct_trace *part;

		fixture_write(directory, "events-0.ct", content, cut);
		if (ct_trace_open(&part, directory, why, sizeof(why)) < 0)
			continue;
		last = ct_trace_transfers(part, &transfers);
		cr_assert_geq(last, most);
		for (size_t i = 0; i < last; i++)
			cr_assert_str_eq(transfers[i].call, "cudaMemcpy");
		most = last;
		ct_trace_close(part);
	}
	cr_assert_eq(last, 5);
	free(content);
}
