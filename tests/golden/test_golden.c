/* SPDX-License-Identifier: Apache-2.0 */
/* Traces written by earlier writers, and damaged ones, read by today's reader. */
#include "tests/unit/trace/trace_fixture.h"
#include "tests/unit/trace/trace_sampled.h"
#include "tests/unit/trace/trace_transfers.h"

#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expected {
	const char *name;
	int opened;
	size_t launches, objects, warnings;
	uint64_t accesses, addresses, damaged;
	const char *text; /* in the first warning, or in why it was not opened */
};

/* Sum of all addresses of one launch of the small trace. */
#define ADDRESSES 0x4b68000035be30u

static const struct expected traces[] = {
    {"v1-small", 0, 3, 4, 0, 12, 2 * ADDRESSES, 0, NULL},
    {"bad-torn", 0, 2, 4, 2, 6, ADDRESSES, 1, "events-0.ct: ends inside a chunk at byte"},
    {"bad-payload", 0, 3, 4, 1, 6, ADDRESSES, 1, "checksum does not match"},
    {"bad-header", 0, 3, 4, 2, 6, ADDRESSES, 1, "are damaged; skipped"},
    {"bad-units", 0, 3, 4, 2, 0, 0, 2, "whose site table is missing"},
    {"v2-calls", 0, 1, 1, 0, 15, 0x7bb30000101188u, 0, NULL},
    {"v2-transfers", 0, 2, 1, 0, 8, 0x7f000000207e00u, 0, NULL},
    {"v3-sampled", 0, 4, 2, 0, 34, 0x21bc000016dd0b0u, 0, NULL},
    {"v3-delta", 0, 4, 2, 0, 34, 0x21bc000016dd0b0u, 0, NULL},
    {"v3-delta-zstd", 0, 4, 2, 0, 34, 0x21bc000016dd0b0u, 0, NULL},
    {"bad-loop", 0, 4, 2, 1, 10, 0x9ec000003ab540u, 1, "offset 16: record is not valid"},
    {"bad-twice", 0, 4, 2, 1, 34, 0x21bc000016dd0b0u, 1,
     "has tickets that another has, too; skipped"},
    {"bad-record", 0, 1, 1, 1, 1, 0xfe000000207c0u, 1, "offset 24: record is not valid"},
    {"bad-tag", 0, 1, 1, 1, 14, 0x77bb00000f90a8u, 1, "records of a unit with the tag b0000b2"},
    {"bad-version", -CT_EVERSION, 0, 0, 0, 0, 0, 0, "written by a newer, incompatible version"},
    {"bad-empty", -CT_EFORMAT, 0, 0, 0, 0, 0, 0, "no readable event"},
};

static void check_content(struct ct_trace *trace, const struct expected *expected)
{
	const struct ct_launch_info *launches;
	const struct ct_object_info *objects;
	const char *const *warnings;
	struct fixture_sum sum;
	uint64_t damaged;

	cr_assert_eq(fixture_scan(trace, &sum, &damaged), 0);
	cr_expect_eq(ct_trace_launches(trace, &launches), expected->launches);
	cr_expect_eq(ct_trace_objects(trace, &objects), expected->objects);
	cr_expect_eq(ct_trace_warnings(trace, &warnings), expected->warnings,
		     "%s: %zu warnings, first: %s", expected->name,
		     ct_trace_warnings(trace, &warnings), warnings ? warnings[0] : "");
	cr_expect_eq(sum.accesses, expected->accesses);
	cr_expect_eq(sum.addresses, expected->addresses, "%s: sum of addresses is %#jx",
		     expected->name, (uintmax_t)sum.addresses);
	cr_expect_eq(damaged, expected->damaged);
	if (expected->text)
		cr_expect(strstr(warnings[0], expected->text), "%s: %s", expected->name,
			  warnings[0]);
}

Test(golden, traces_are_read_as_ever)
{
	for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
		struct ct_trace *trace;
		char path[1024], why[512] = "";

		snprintf(path, sizeof(path), "%s/%s.ctrace", CT_GOLDEN_DIR, traces[i].name);
		cr_assert_eq(ct_trace_open(&trace, path, why, sizeof(why)), traces[i].opened,
			     "%s: %s", traces[i].name, why);
		if (trace)
			check_content(trace, &traces[i]);
		else
			cr_expect(strstr(why, traces[i].text), "%s: %s", traces[i].name, why);
		ct_trace_close(trace);
	}
}

static int add_value(void *user, const struct ct_value *value)
{
	uint64_t *sum = user, low;

	for (uint32_t rest = value->at->mask; rest; rest &= rest - 1) {
		memcpy(&low, value->data[__builtin_ctz(rest)], sizeof(low));
		*sum += (low & 0xffffffffu) * (value->part + 1);
	}
	return 0;
}

static int add_event(void *user, const struct ct_event *event)
{
	uint64_t *sum = user;

	*sum += 1u + event->at->depth + 100 * event->phase;
	return 0;
}

static int ignore_access(void *user, const struct ct_access *access)
{
	(void)user;
	(void)access;
	return 0;
}

Test(golden, values_and_events_of_version_2_are_read_as_ever)
{
	uint64_t sum = 0;
	struct ct_scan scan = {.access = ignore_access, .user = &sum, .paths = 1};
	struct ct_trace *trace;
	char why[512];

	cr_assert_eq(ct_trace_open(&trace, CT_GOLDEN_DIR "/v2-calls.ctrace", why, sizeof(why)), 0,
		     "%s", why);
	scan.value = add_value;
	cr_assert_eq(ct_trace_scan(trace, &scan, NULL), 0);
	cr_expect_eq(sum, 58647123079u, "values: %ju", (uintmax_t)sum);
	sum = 0;
	scan.value = NULL;
	scan.event = add_event;
	cr_assert_eq(ct_trace_scan(trace, &scan, NULL), 0);
	cr_expect_eq(sum, 517, "events: %ju", (uintmax_t)sum);
	ct_trace_close(trace);
}

Test(golden, transfers_and_order_of_version_2_are_read_as_ever)
{
	const struct ct_transfer_info *transfers;
	const struct ct_host_event *orders;
	const struct ct_host_event *streams;
	struct ct_trace *trace;
	uint64_t bytes = 0;
	char why[512];

	cr_assert_eq(ct_trace_open(&trace, CT_GOLDEN_DIR "/v2-transfers.ctrace", why, sizeof(why)),
		     0, "%s", why);
	cr_assert_eq(ct_trace_transfers(trace, &transfers), TRANSFERS_COPIES + TRANSFERS_SETS);
	for (size_t i = 0; i < TRANSFERS_COPIES + TRANSFERS_SETS; i++)
		bytes += transfers[i].event->width * transfers[i].event->height *
			 transfers[i].event->depth;
	cr_expect_eq(bytes, TRANSFERS_BYTES);
	cr_expect_str_eq(transfers[0].call, "cudaMemcpy");
	cr_expect_eq(transfers[0].event->flags, CT_TRANSFER_WAITED);
	cr_expect_eq(transfers[1].event->target_row, 64);
	cr_expect_eq(transfers[1].event->stream, TRANSFERS_STREAM);
	cr_expect_eq(transfers[2].event->source_slice, 1024);
	cr_expect_eq(transfers[3].event->flags, CT_TRANSFER_GRAPH);
	cr_expect_eq(transfers[4].event->kind, CT_TRANSFER_SET);
	cr_assert_eq(ct_trace_events(trace, CT_EVENT_ORDER, &orders), TRANSFERS_ORDERS);
	cr_expect_eq(orders[0].order->kind, CT_ORDER_RECORD);
	cr_expect_eq(orders[0].order->event, TRANSFERS_EVENT);
	cr_expect_eq(orders[1].order->kind, CT_ORDER_WAIT);
	cr_expect_eq(orders[2].order->kind, CT_ORDER_EVENT);
	cr_expect_eq(orders[3].order->kind, CT_ORDER_STREAM);
	cr_expect_eq(orders[4].order->kind, CT_ORDER_DEVICE);
	cr_assert_eq(ct_trace_events(trace, CT_EVENT_STREAM, &streams), TRANSFERS_STREAMS);
	cr_expect_eq(streams[1].stream->stream, TRANSFERS_STREAM);
	cr_expect_eq(streams[1].stream->flags, CT_STREAM_NON_BLOCKING);
	cr_expect_eq(streams[2].stream->flags, CT_STREAM_DESTROYED);
	ct_trace_close(trace);
}

Test(golden, sampling_and_regions_of_version_3_are_read_as_ever)
{
	const struct ct_launch_info *launches;
	const struct ct_host_event *regions;
	const struct ct_count_info *counts;
	const struct ct_touched_info *touched;
	const struct ct_process_info *processes;
	struct ct_trace *trace;
	char why[512];

	cr_assert_eq(ct_trace_open(&trace, CT_GOLDEN_DIR "/v3-sampled.ctrace", why, sizeof(why)), 0,
		     "%s", why);
	ct_trace_launches(trace, &launches);
	cr_expect_str_eq(launches[0].region, SAMPLED_REGION);
	cr_expect_eq(launches[0].event->block_period, SAMPLED_PERIOD);
	cr_expect_eq(launches[1].event->launch_period, 2);
	cr_expect_eq(launches[2].event->tier, CT_TIER_COUNTS);
	cr_expect_eq(ct_trace_events(trace, CT_EVENT_REGION, &regions), 6);
	cr_expect_eq(ct_trace_counts(trace, &counts), 2);
	cr_expect_eq(counts[1].event->bytes, 2400);
	cr_expect_eq(ct_trace_touched(trace, &touched), 2);
	cr_expect_str_eq(touched[1].object->name, "y");
	cr_assert_eq(ct_trace_processes(trace, &processes), 1);
	cr_expect_str_eq(processes[0].host, "node7");
	ct_trace_close(trace);
}

/* Of the chunks of records in a trace, those of a codec. */
static unsigned count_codec(const char *name, enum ct_codec codec)
{
	struct ct_chunk_header header;
	unsigned count = 0;
	char path[1024];
	char *content;
	size_t bytes;

	snprintf(path, sizeof(path), "%s/%s.ctrace", CT_GOLDEN_DIR, name);
	content = fixture_read(path, "device-0-0.ct", &bytes);
	for (size_t at = 0; at < bytes; at += sizeof(header) + header.coded_bytes) {
		memcpy(&header, content + at, sizeof(header));
		count += header.codec == codec;
	}
	free(content);
	return count;
}

Test(golden, codecs_are_there_to_be_read)
{
	cr_assert_geq(count_codec("v3-delta", CT_CODEC_DELTA), 1);
	cr_assert_geq(count_codec("v3-delta-zstd", CT_CODEC_DELTA_ZSTD), 1);
}

static void copy_file(const char *from, const char *name, const char *to, const char *new_name)
{
	char path[1024];
	char *content;
	size_t bytes;

	snprintf(path, sizeof(path), "%s/%s.ctrace", CT_GOLDEN_DIR, from);
	content = fixture_read(path, name, &bytes);
	fixture_write(to, new_name, content, bytes);
	free(content);
}

Test(golden, parts_of_different_versions_are_read_together)
{
	char *directory = fixture_directory(), why[512];
	const struct ct_launch_info *launches;
	const char *const *warnings;
	struct fixture_sum sum;
	struct ct_trace *trace;

	copy_file("v1-small", "events-0.ct", directory, "events-0.ct");
	copy_file("v1-small", "device-0-0.ct", directory, "device-0-0.ct");
	copy_file("v2-calls", "events-0.ct", directory, "events-1.ct");
	copy_file("v2-calls", "device-0-0.ct", directory, "device-1-0.ct");
	copy_file("v2-transfers", "events-0.ct", directory, "events-2.ct");
	copy_file("v2-transfers", "device-0-0.ct", directory, "device-2-0.ct");
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(fixture_scan(trace, &sum, NULL), 0);
	cr_expect_eq(ct_trace_warnings(trace, &warnings), 0);
	cr_expect_eq(ct_trace_launches(trace, &launches), 3 + 1 + 2);
	cr_expect_eq(sum.accesses, 12 + 15 + 8);
	ct_trace_close(trace);
	fixture_remove(directory);
}

Test(golden, one_part_of_a_newer_version_is_named)
{
	char *directory = fixture_directory(), why[512], expected[512];
	struct ct_trace *trace;

	copy_file("v1-small", "events-0.ct", directory, "events-0.ct");
	copy_file("v1-small", "device-0-0.ct", directory, "device-0-0.ct");
	copy_file("bad-version", "events-0.ct", directory, "events-1.ct");
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), -CT_EVERSION);
	cr_assert_null(trace);
	snprintf(expected, sizeof(expected),
		 "%s/events-1.ct: written by a newer, incompatible version; "
		 "update cuda-trace to read it",
		 directory);
	cr_expect_str_eq(why, expected);
	fixture_remove(directory);
}

Test(golden, the_small_trace_says_what_it_always_said)
{
	const struct ct_launch_info *launches;
	const struct ct_loss_info *losses;
	struct ct_trace *trace;
	char why[512], field[64];

	cr_assert_eq(ct_trace_open(&trace, CT_GOLDEN_DIR "/v1-small.ctrace", why, sizeof(why)), 0,
		     "%s", why);
	cr_assert(strstr(ct_trace_manifest(trace), "\"program\": \"demo\""));
	ct_trace_launches(trace, &launches);
	cr_assert_str_eq(launches[0].kernel, "copy(float*, float*)");
	cr_assert_str_eq(ct_site_field(launches[0].site, 2, field, sizeof(field)), "30");
	cr_assert_eq(launches[0].event->header.time_ns / 1000000000u, 1700000000u);
	cr_assert_str_eq(launches[1].reason, "kernel is not selected");
	cr_assert_str_eq(ct_trace_object_at(trace, &launches[0], FIXTURE_X)->name, "x");
	cr_assert_str_eq(ct_trace_object_at(trace, &launches[2], FIXTURE_X)->name, "z");
	cr_assert_eq(ct_trace_losses(trace, &losses), 1);
	ct_trace_close(trace);
}
