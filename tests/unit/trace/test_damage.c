/* SPDX-License-Identifier: Apache-2.0 */
/* Cut, changed and unknown content: nothing crashes, nothing is lost in silence. */
#include "tests/unit/trace/trace_fixture.h"
#include "trace/codec/chunk.h"

#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static char *directory;
static char why[512];

/* The files as they should be. */
static char *events, *records;
static size_t events_bytes, records_bytes;

static void make(void)
{
	directory = fixture_directory();
	cr_assert_eq(fixture_make(directory, 1, true), 0);
	events = fixture_read(directory, "events-0.ct", &events_bytes);
	records = fixture_read(directory, "device-0-0.ct", &records_bytes);
}

static void clean(void)
{
	free(events);
	free(records);
	fixture_remove(directory);
}

TestSuite(damage, .init = make, .fini = clean, .timeout = 200);

struct view {
	int opened; /* ct_trace_open's */
	size_t launches, warnings;
	uint64_t accesses, damaged;
	char first_warning[512];
};

static struct view look(void)
{
	const struct ct_launch_info *launches;
	const char *const *warnings;
	struct fixture_sum sum;
	struct ct_trace *trace;
	struct view view = {0};

	view.opened = ct_trace_open(&trace, directory, why, sizeof(why));
	if (view.opened < 0) {
		cr_assert_neq(why[0], '\0');
		return view;
	}
	cr_assert_geq(fixture_scan(trace, &sum, &view.damaged), -CT_ELIMIT);
	view.launches = ct_trace_launches(trace, &launches);
	view.accesses = sum.accesses;
	view.warnings = ct_trace_warnings(trace, &warnings);
	if (view.warnings)
		snprintf(view.first_warning, sizeof(view.first_warning), "%s", warnings[0]);
	ct_trace_close(trace);
	return view;
}

static struct ct_chunk_header header_at(const char *content, size_t at)
{
	struct ct_chunk_header header; /* chunks are not aligned */

	memcpy(&header, content + at, sizeof(header));
	return header;
}

static size_t next_chunk(const char *content, size_t at)
{
	return at + sizeof(struct ct_chunk_header) + header_at(content, at).coded_bytes;
}

/* Whether bytes is where a chunk ends; *chunks: whole chunks before it. */
static bool is_chunk_end(const char *content, size_t bytes, size_t *chunks)
{
	size_t at = 0;

	*chunks = 0;
	while (at < bytes) {
		if (bytes - at < sizeof(struct ct_chunk_header) || next_chunk(content, at) > bytes)
			return false;
		at = next_chunk(content, at);
		++*chunks;
	}
	return true;
}

Test(damage, records_cut_at_every_byte_are_read_to_the_last_whole_chunk)
{
	size_t chunks;

	for (size_t bytes = 0; bytes <= records_bytes; bytes++) {
		bool is_whole = is_chunk_end(records, bytes, &chunks);
		size_t at = chunks ? next_chunk(records, 0) : 0; /* there are two */
		struct view view;
		char expected[200];

		fixture_write(directory, "device-0-0.ct", records, bytes);
		view = look();
		cr_assert_eq(view.opened, 0, "%s", why);
		cr_assert_eq(view.accesses, 6 * chunks, "cut at %zu", bytes);
		cr_assert_eq(view.warnings, !is_whole || bytes == 0, "cut at %zu", bytes);
		cr_assert_eq(view.damaged, !is_whole, "cut at %zu", bytes);
		if (is_whole)
			continue;
		snprintf(
		    expected, sizeof(expected),
		    "device-0-0.ct: ends inside a chunk at byte %zu (cut or still being "
		    "written); its last %zu bytes are lost, %zu chunks before them are complete",
		    at, bytes - at, chunks);
		cr_assert_str_eq(view.first_warning, expected);
	}
}

Test(damage, events_cut_at_every_byte_are_read_to_the_last_whole_chunk)
{
	size_t chunks, launches = 0;

	for (size_t bytes = 0; bytes <= events_bytes; bytes++) {
		bool is_whole = is_chunk_end(events, bytes, &chunks);
		struct view view;

		fixture_write(directory, "events-0.ct", events, bytes);
		view = look();
		if (view.opened < 0) { /* before the first events chunk */
			cr_assert_eq(launches, 0);
			cr_assert_not(is_whole);
			continue;
		}
		cr_assert_geq(view.launches, launches, "cut at %zu", bytes);
		cr_assert(is_whole || view.warnings > 0, "cut at %zu", bytes);
		launches = view.launches;
	}
	cr_assert_eq(launches, FIXTURE_LAUNCHES);
}

static void flip_every_bit(const char *name, char *content, size_t bytes, const struct view *sound)
{
	for (size_t bit = 0; bit < 8 * bytes; bit++) {
		struct view view;

		content[bit / 8] ^= (char)(1 << bit % 8);
		fixture_write(directory, name, content, bytes);
		content[bit / 8] ^= (char)(1 << bit % 8);
		view = look();
		cr_assert(view.opened < 0 || view.warnings > 0, "%s: bit %zu was not noticed", name,
			  bit);
		cr_assert_leq(view.accesses, sound->accesses);
	}
	fixture_write(directory, name, content, bytes);
}

Test(damage, every_single_bit_flip_in_records_is_noticed)
{
	struct view sound = look();

	cr_assert_eq(sound.warnings, 0, "%s", sound.first_warning);
	flip_every_bit("device-0-0.ct", records, records_bytes, &sound);
}

Test(damage, every_single_bit_flip_in_events_is_noticed)
{
	struct view sound = look();

	flip_every_bit("events-0.ct", events, events_bytes, &sound);
}

Test(damage, reading_goes_on_after_a_chunk_with_a_bad_payload)
{
	struct view view;
	char expected[200];

	records[sizeof(struct ct_chunk_header) + 3] ^= 1;
	fixture_write(directory, "device-0-0.ct", records, records_bytes);
	view = look();
	cr_assert_eq(view.accesses, 6);
	cr_assert_eq(view.damaged, 1);
	snprintf(expected, sizeof(expected),
		 "device-0-0.ct: chunk at byte 0: checksum does not match; its %u bytes of records "
		 "are lost",
		 header_at(records, 0).raw_bytes);
	cr_assert_str_eq(view.first_warning, expected);
}

Test(damage, reading_goes_on_after_a_chunk_with_a_bad_header)
{
	struct view view;
	char expected[100];

	records[20] ^= 1;
	fixture_write(directory, "device-0-0.ct", records, records_bytes);
	view = look();
	cr_assert_eq(view.accesses, 6);
	cr_assert_eq(view.damaged, 1);
	records[20] ^= 1;
	snprintf(expected, sizeof(expected),
		 "device-0-0.ct: %zu bytes from byte 0 are damaged; skipped",
		 next_chunk(records, 0));
	cr_assert_str_eq(view.first_warning, expected);
}

Test(damage, a_missing_chunk_is_noticed)
{
	size_t second = next_chunk(records, 0);
	struct view view;

	fixture_write(directory, "device-0-0.ct", records + second, records_bytes - second);
	view = look();
	cr_assert_eq(view.accesses, 6);
	cr_assert_str_eq(view.first_warning, "device-0-0.ct: tickets 0 to 0 are missing");
}

Test(damage, a_chunk_that_is_there_twice_is_read_once)
{
	char *twice = malloc(2 * records_bytes);
	struct view view;

	memcpy(twice, records, records_bytes);
	memcpy(twice + records_bytes, records, records_bytes);
	fixture_write(directory, "device-0-0.ct", twice, 2 * records_bytes);
	free(twice);
	view = look();
	cr_assert_eq(view.accesses, FIXTURE_ACCESSES);
	cr_assert_eq(view.damaged, 2);
	cr_assert(strstr(view.first_warning, "has tickets that another has"));
}

/* Put a chunk of 8 bytes before the records and seal its header. */
static void prepend(struct ct_chunk_header header)
{
	static const char payload[8];
	char *content = malloc(sizeof(header) + sizeof(payload) + records_bytes);

	header.magic = CT_CHUNK_MAGIC;
	header.raw_bytes = sizeof(payload);
	header.coded_bytes = sizeof(payload);
	header.payload_hash = XXH3_64bits(payload, sizeof(payload));
	header.header_hash = XXH3_64bits(&header, offsetof(struct ct_chunk_header, header_hash));
	memcpy(content, &header, sizeof(header));
	memcpy(content + sizeof(header), payload, sizeof(payload));
	memcpy(content + sizeof(header) + sizeof(payload), records, records_bytes);
	fixture_write(directory, "device-0-0.ct", content,
		      sizeof(header) + sizeof(payload) + records_bytes);
	free(content);
}

Test(damage, chunks_of_unknown_kind_codec_or_flags_are_skipped)
{
	const struct ct_chunk_header unknown[] = {
	    {.version = 1, .kind = 200},
	    {.version = 1, .kind = CT_CHUNK_RECORDS, .codec = 9},
	    {.version = 1, .kind = CT_CHUNK_RECORDS, .flags = 1},
	};

	for (size_t i = 0; i < 3; i++) {
		struct view view;

		prepend(unknown[i]);
		view = look();
		cr_assert_eq(view.accesses, FIXTURE_ACCESSES);
		cr_assert_eq(view.damaged, 0);
		cr_assert(strstr(view.first_warning, "unknown kind"), "%s", view.first_warning);
	}
}

Test(damage, reserved_header_fields_are_ignored)
{
	struct view view;

	prepend((struct ct_chunk_header){.version = 1, .kind = 200, .table = 1, .reserved2 = 1});
	view = look();
	cr_assert_eq(view.accesses, FIXTURE_ACCESSES);
}

Test(damage, a_newer_version_is_refused)
{
	prepend(
	    (struct ct_chunk_header){.version = CT_FORMAT_VERSION + 1, .kind = CT_CHUNK_RECORDS});
	cr_assert_eq(look().opened, -CT_EVERSION);
	cr_assert(strstr(why, "device-0-0.ct: written by a newer, incompatible version; update"),
		  "%s", why);
}

Test(damage, records_without_a_launch_are_counted)
{
	size_t at = 0, end, last = 0, count = 0;
	struct view view;

	/* Cut the events before the chunk with launches 2 and 3. */
	while (at < events_bytes) {
		end = next_chunk(events, at);
		count += header_at(events, at).kind == CT_CHUNK_EVENTS;
		if (count == 2 && !last)
			last = end;
		at = end;
	}
	fixture_write(directory, "events-0.ct", events, last);
	view = look();
	cr_assert_eq(view.launches, 1);
	cr_assert_eq(view.accesses, 6);
	cr_assert_eq(view.damaged, 1);
	cr_assert(strstr(view.first_warning, "records of launch 3, whose event is missing"), "%s",
		  view.first_warning);
}

Test(damage, records_without_a_site_table_are_counted)
{
	size_t second = next_chunk(events, 0);
	struct view view;

	cr_assert_eq(header_at(events, 0).kind, CT_CHUNK_UNIT);
	fixture_write(directory, "events-0.ct", events + second, events_bytes - second);
	view = look();
	cr_assert_eq(view.launches, FIXTURE_LAUNCHES);
	cr_assert_eq(view.accesses, 0);
	cr_assert_eq(view.damaged, 2);
	cr_assert(strstr(view.first_warning, "whose site table is missing"));
}

Test(damage, a_file_of_magic_numbers_is_searched_in_no_time)
{
	size_t bytes = 4u << 20;
	uint32_t *content = malloc(bytes);
	struct view view;

	for (size_t i = 0; i < bytes / 4; i++)
		content[i] = CT_CHUNK_MAGIC;
	fixture_write(directory, "device-0-0.ct", content, bytes);
	free(content);
	view = look();
	cr_assert_eq(view.opened, 0);
	cr_assert_eq(view.damaged, 1);
	cr_assert_eq(view.accesses, 0);
}
