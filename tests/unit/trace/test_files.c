/* SPDX-License-Identifier: Apache-2.0 */
/* The streams of one device have a file each, the last share some; together they read as one. */
#include "tests/unit/trace/trace_fixture.h"
#include "trace/codec/chunk.h"
#include "trace/names/directory.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STREAMS 18u /* of which 16 have a file of their own */
#define ROUNDS 3u

static char *directory, why[512];
static struct ct_trace *trace;

static void write_launch(struct ct_writer *writer)
{
	struct ct_event_launch event = {
	    .header = {CT_EVENT_LAUNCH, 0, sizeof(event), 1},
	    .launch = 1,
	    .unit_id = FIXTURE_UNIT_ID,
	    .unit_arch = 90,
	    .grid = {1, 1, 1},
	    .flags = CT_LAUNCH_TRACED,
	};
	size_t bytes;
	void *unit = fixture_unit(&bytes);

	cr_assert_eq(ct_writer_unit(writer, unit, bytes), 0);
	free(unit);
	ct_writer_string(writer, "_Z3sumPf", &event.kernel_name);
	cr_assert_eq(ct_writer_event(writer, &event.header), 0);
}

/* One access, whose address is that many bytes from the others'. */
static void write_ticket(struct ct_writer_stream *stream, uint64_t ticket)
{
	uint64_t words[32], address[CT_WARP_LANES];
	uint32_t count;

	for (uint64_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = FIXTURE_X + 1024 * ticket + 4 * lane;
	words[0] = CT_SEGMENT_WORD0(0, ticket, 1);
	words[1] = CT_SEGMENT_WORD1(0, 0);
	count = 2 + ct_encode_access(words + 2, 0, 4, CT_FULL_MASK, address);
	cr_assert_eq(ct_writer_stream_records(stream, ticket, words, 8 * count), 0);
	cr_assert_eq(ct_writer_stream_flush(stream), 0);
}

/* Streams take turns, a chunk of one ticket each; again after all were closed. */
static void make_trace(void)
{
	const struct ct_writer_options options = {.level = 1};
	struct ct_writer_stream *stream[STREAMS];
	struct ct_writer *writer;
	uint64_t ticket = 0;

	directory = fixture_directory();
	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
	write_launch(writer);
	for (uint32_t opened = 0; opened < 2; opened++) {
		for (uint32_t i = 0; i < STREAMS; i++)
			cr_assert_eq(ct_writer_stream_open(&stream[i], writer, 0), 0);
		for (; ticket < (opened + 1) * STREAMS * ROUNDS; ticket++)
			write_ticket(stream[ticket % STREAMS], ticket);
		for (uint32_t i = 0; i < STREAMS; i++)
			cr_assert_eq(ct_writer_stream_close(stream[i]), 0);
	}
	cr_assert_eq(ct_writer_close(writer), 0);
}

static void remove_trace(void)
{
	ct_trace_close(trace);
	fixture_remove(directory);
}

TestSuite(files, .init = make_trace, .fini = remove_trace);

Test(files, are_as_many_as_the_streams_need)
{
	cr_assert(fixture_has(directory, "device-0-0.ct"));
	cr_assert(fixture_has(directory, "device-0-0-1.ct"));
	cr_assert(fixture_has(directory, "device-0-0-15.ct"));
	cr_assert_not(fixture_has(directory, "device-0-0-16.ct"));
	cr_assert_eq(fixture_chunks(directory, "device-0-0-2.ct").tickets, 2 * ROUNDS);
	cr_assert_eq(fixture_chunks(directory, "device-0-0-15.ct").tickets, 4 * ROUNDS);
}

struct seen {
	uint64_t accesses, next; /* the address that may come at the earliest */
	bool is_disordered;
};

static int see(void *user, const struct ct_access *access)
{
	struct seen *seen = user;

	seen->accesses++;
	seen->is_disordered |= access->address[0] < seen->next;
	seen->next = access->address[0] + 1;
	return 0;
}

static struct seen scan(uint64_t *damaged)
{
	struct seen seen = {0};
	const struct ct_scan request = {.access = see, .user = &seen};

	cr_assert_eq(ct_trace_scan(trace, &request, damaged), 0);
	return seen;
}

static void open_trace(void)
{
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
}

/* The reader's warnings begin so. */
static void expect_warnings(const char *first, const char *second)
{
	const char *const *warnings;
	size_t count = ct_trace_warnings(trace, &warnings);

	cr_assert_geq(count, (first != NULL) + (second != NULL));
	if (first)
		cr_assert_str_eq(warnings[0], first);
	if (second)
		cr_assert_str_eq(warnings[1], second);
}

Test(files, read_as_one)
{
	const char *const *warnings;
	struct seen seen;
	uint64_t damaged;

	open_trace();
	cr_assert_eq(ct_trace_ring_chunks(trace), 2 * STREAMS * ROUNDS);
	seen = scan(&damaged);
	cr_assert_eq(seen.accesses, 2 * STREAMS * ROUNDS);
	cr_assert_not(seen.is_disordered);
	cr_assert_eq(damaged, 0);
	cr_assert_eq(ct_trace_warnings(trace, &warnings), 0);
}

Test(files, one_is_missing)
{
	uint64_t missing = fixture_chunks(directory, "device-0-0.ct").tickets;

	fixture_delete(directory, "device-0-0.ct");
	open_trace();
	cr_assert_eq(scan(NULL).accesses, 2 * STREAMS * ROUNDS - missing);
	expect_warnings("device-0-0-1.ct: tickets 0 to 0 are missing",
			"device-0-0-1.ct: tickets 18 to 18 are missing");
}

Test(files, one_is_damaged)
{
	size_t bytes;
	char *content = fixture_read(directory, "device-0-0-2.ct", &bytes), expected[200];
	struct ct_chunk_header header;
	uint64_t damaged;

	memcpy(&header, content, sizeof(header));
	content[sizeof(header)] ^= 1;
	fixture_write(directory, "device-0-0-2.ct", content, bytes);
	free(content);
	open_trace();
	cr_assert_eq(scan(&damaged).accesses, 2 * STREAMS * ROUNDS - 1);
	cr_assert_eq(damaged, 1);
	snprintf(expected, sizeof(expected),
		 "device-0-0-2.ct: chunk at byte 0: checksum does not match; its %u bytes of "
		 "records are lost",
		 header.raw_bytes);
	expect_warnings(expected, NULL);
}

Test(files, one_is_torn)
{
	size_t bytes;
	char *content = fixture_read(directory, "device-0-0-1.ct", &bytes), expected[200];
	uint64_t missing = fixture_chunks(directory, "device-0-0-1.ct").tickets, damaged;

	fixture_write(directory, "device-0-0-1.ct", content, 10);
	free(content);
	open_trace();
	cr_assert_eq(scan(&damaged).accesses, 2 * STREAMS * ROUNDS - missing);
	cr_assert_eq(damaged, 1);
	snprintf(expected, sizeof(expected),
		 "device-0-0-1.ct: ends inside a chunk at byte 0 (cut or still being written); its "
		 "last 10 bytes are lost, 0 chunks before them are complete");
	expect_warnings(expected, "device-0-0.ct: tickets 1 to 1 are missing");
}
