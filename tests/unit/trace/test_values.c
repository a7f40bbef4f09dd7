/* SPDX-License-Identifier: Apache-2.0 */
/* Values and call paths where warps are split, chunks are cut or lost, and units are missing. */
#include "tests/unit/trace/one_chunk.h"
#include "tests/unit/trace/trace_calls.h"
#include "tests/unit/trace/trace_fixture.h"
#include "trace/write/writer.h"

#include <criterion/criterion.h>
#include <cudatrace/encode.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A scan hands out this, one after another: "a3:ff@2 " is an access at site 3 by lanes ff with 2
 * calls on its path, v a value, e an event. */
static char log_text[65536];
static char *directory;
static uint64_t damaged;

__attribute__((format(printf, 1, 2))) static int note(const char *format, ...)
{
	size_t used = strlen(log_text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(log_text + used, sizeof(log_text) - used, format, arguments);
	va_end(arguments);
	return 0;
}

static int on_access(void *user, const struct ct_access *a)
{
	(void)user;
	return note("a%u:%x@%u ", a->site, a->mask, a->depth);
}

static int on_event(void *user, const struct ct_event *e)
{
	(void)user;
	return note("e%u:%x@%u ", e->at->site, e->at->mask, e->at->depth);
}

static int on_value(void *user, const struct ct_value *v)
{
	(void)user;
	return note("v%u:%x=%u ", v->at->site, v->at->mask, v->data[__builtin_ctz(v->at->mask)][0]);
}

/* Scan the trace that records makes. Returns the number of warnings. */
static size_t scan(void (*records)(struct ct_writer *writer))
{
	struct ct_scan request = {
	    .access = on_access, .event = on_event, .value = on_value, .paths = 1};
	const char *const *warnings;
	struct ct_trace *trace;
	char why[512];
	size_t count;

	log_text[0] = '\0';
	directory = fixture_directory();
	cr_assert_eq(calls_make_with(directory, records), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_trace_scan(trace, &request, &damaged), 0);
	count = ct_trace_warnings(trace, &warnings);
	ct_trace_close(trace);
	fixture_remove(directory);
	return count;
}

static uint64_t words[1024];
static uint32_t used;

static void segment(uint32_t warp)
{
	words[used++] = CT_SEGMENT_WORD0(0, 0, 1);
	words[used++] = CT_SEGMENT_WORD1(warp, 0);
}

static void access(uint64_t site, uint32_t mask)
{
	uint64_t address[CT_WARP_LANES];

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		address[lane] = CALLS_DATA + 4 * lane;
	used += ct_encode_access(words + used, site, 4, mask, address);
}

static void value(uint64_t site, uint32_t part, uint32_t mask, uint64_t number)
{
	uint64_t low[CT_WARP_LANES], high[CT_WARP_LANES] = {0};

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		low[lane] = number;
	used += ct_encode_value(words + used, site, part, 4, mask, low, high);
}

static void event(uint64_t site, uint32_t phase, uint32_t mask)
{
	used += ct_encode_event(words + used, site, phase, mask);
}

static void ship(struct ct_writer *writer, uint64_t ticket)
{
	cr_assert_eq(write_one_chunk(writer, 0, ticket, words, 8 * used), 0);
	ct_writer_flush(writer);
	used = 0;
}

static void write_split_values(struct ct_writer *writer)
{
	segment(0);
	access(CALLS_LOAD, 0xff);
	value(CALLS_LOAD, 0, 0x0f, 1);
	value(CALLS_LOAD, 0, 0xf0, 2);
	access(CALLS_CAS, 0x3);
	value(CALLS_CAS, CT_PART_VALUE, 0x3, 3);
	value(CALLS_CAS, CT_PART_COMPARE, 0x3, 4);
	value(CALLS_CAS, CT_PART_RETURNED, 0x3, 5);
	ship(writer, 0);
}

Test(trace_values, those_of_parts_of_the_lanes_come_together)
{
	cr_assert_eq(scan(write_split_values), 0);
	cr_assert_str_eq(log_text, "a0:ff@0 v0:ff=1 a5:3@0 v5:3=3 v5:3=4 v5:3=5 ");
}

/* Lanes 0 to 3 and 4 to 7 have parted: each has its access before the other has its value. */
static void write_turns(struct ct_writer *writer)
{
	segment(0);
	access(CALLS_LOAD, 0x0f);
	access(CALLS_LOAD, 0xf0);
	value(CALLS_LOAD, 0, 0x0f, 1);
	access(CALLS_LOAD, 0x0f);
	value(CALLS_LOAD, 0, 0x0f, 2);
	value(CALLS_LOAD, 0, 0xf0, 3);
	ship(writer, 0);
}

Test(trace_values, those_of_lanes_that_take_turns_find_their_accesses)
{
	cr_assert_eq(scan(write_turns), 0);
	cr_assert_str_eq(log_text, "a0:f@0 v0:f=1 a0:f0@0 v0:f0=3 a0:f@0 v0:f=2 ");
}

/* Lanes 4 to 7 are late: the others' next access has come before. */
static void write_late_values(struct ct_writer *writer)
{
	segment(0);
	access(CALLS_LOAD, 0xff);
	value(CALLS_LOAD, 0, 0x0f, 1);
	access(CALLS_LEAF, 0x0f);
	value(CALLS_LOAD, 0, 0xf0, 2);
	ship(writer, 0);
}

Test(trace_values, those_of_late_lanes_are_not_lost)
{
	cr_assert_eq(scan(write_late_values), 0);
	cr_assert_str_eq(log_text, "a0:ff@0 v0:f=1 a3:f@0 v0:f0=2 ");
}

/* The call of warp 0 is over before its value; warp 1 comes in between. */
static void write_cut_values(struct ct_writer *writer)
{
	segment(0);
	event(CALLS_CALL, CT_PHASE_HAPPENS, 0xff);
	access(CALLS_LOAD, 0xff);
	ship(writer, 0);
	segment(1);
	access(CALLS_LEAF, 0x1);
	access(CALLS_LOAD, 0x1);
	ship(writer, 1);
	segment(0);
	value(CALLS_LOAD, 0, 0xff, 9);
	event(CALLS_CALL, CT_PHASE_LEAVE, 0xff);
	segment(1);
	value(CALLS_LOAD, 0, 0x1, 8);
	ship(writer, 2);
}

Test(trace_values, those_of_a_later_chunk_come_with_their_access_and_its_path)
{
	cr_assert_eq(scan(write_cut_values), 0);
	cr_assert_str_eq(log_text, "e1:ff@0 a3:1@0 a0:ff@1 v0:ff=9 e1:ff@0 a0:1@0 v0:1=8 ");
}

/* A group's members are reported before their values, some of which come in a later chunk; those
 * of the last one come in two parts. */
static void write_group(struct ct_writer *writer)
{
	const uint64_t distance[] = {4096, 8192};

	segment(0);
	used += ct_encode_group(words + used, CALLS_SHARED, 2, distance);
	access(CALLS_SHARED, 0xf);
	value(CALLS_SHARED, 0, 0xf, 1);
	value(CALLS_VECTOR, 0, 0xf, 2);
	access(CALLS_SHARED, 0x3);
	value(CALLS_SHARED, 0, 0x3, 3);
	value(CALLS_WIDE, 0, 0x3, 4);
	ship(writer, 0);
	segment(1);
	access(CALLS_LOAD, 0x1);
	ship(writer, 1);
	segment(0);
	value(CALLS_WIDE, 1, 0x3, 5);
	value(CALLS_VECTOR, 0, 0x3, 6);
	access(CALLS_LOAD, 0x7);
	value(CALLS_LOAD, 0, 0x7, 7);
	ship(writer, 2);
}

Test(trace_values, those_of_a_group_come_with_its_accesses)
{
	cr_assert_eq(scan(write_group), 0);
	cr_assert_str_eq(log_text, "a8:f@0 v8:f=1 a9:f@0 v9:f=2 a10:f@0 "
				   "a8:3@0 v8:3=3 a9:3@0 v9:3=6 a10:3@0 v10:3=4 v10:3=5 "
				   "a0:7@0 v0:7=7 a0:1@0 ");
}

/* A leader that was recorded alone is an access like others. */
static int check_range(void *user, const struct ct_access *a)
{
	*(bool *)user = a->range == NULL;
	return 0;
}

static void write_alone(struct ct_writer *writer)
{
	uint64_t address[CT_WARP_LANES], bytes[CT_WARP_LANES];

	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++) {
		address[lane] = CALLS_DATA + 8 * lane;
		bytes[lane] = 4;
	}
	segment(0);
	used += ct_encode_range(words + used, CALLS_LOAD, 0xf0, address, bytes);
	value(CALLS_LOAD, 0, 0xf0, 1);
	ship(writer, 0);
}

Test(trace_values, a_leader_alone_is_no_range)
{
	bool is_plain = false;
	struct ct_scan request = {.access = check_range, .value = on_value, .user = &is_plain};
	struct ct_trace *trace;
	char why[512];

	log_text[0] = '\0';
	directory = fixture_directory();
	cr_assert_eq(calls_make_with(directory, write_alone), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_trace_scan(trace, &request, NULL), 0);
	cr_assert(is_plain);
	cr_assert_str_eq(log_text, "v0:f0=1 ");
	ct_trace_close(trace);
	fixture_remove(directory);
}

/* A range may move more than a chunk has, and others come in between. */
static uint8_t moved[1500];

static void content(uint64_t ticket, struct ct_writer *writer, uint64_t *offset)
{
	const uint64_t bytes[CT_WARP_LANES] = {sizeof(moved)};
	const void *const from[CT_WARP_LANES] = {moved};

	used += ct_encode_content(words + used, CALLS_COPY, 1, bytes, from, offset);
	ship(writer, ticket);
}

static void write_content(struct ct_writer *writer)
{
	uint64_t address[CT_WARP_LANES] = {CALLS_DATA}, offset = 0;
	const uint64_t bytes[CT_WARP_LANES] = {sizeof(moved)};

	segment(0);
	used += ct_encode_range(words + used, CALLS_COPY, 1, address, bytes);
	content(0, writer, &offset);
	segment(1);
	access(CALLS_LEAF, 0x1);
	ship(writer, 1);
	segment(0);
	content(2, writer, &offset);
	segment(0);
	content(3, writer, &offset);
	segment(0);
	access(CALLS_LEAF, 0x3);
	ship(writer, 4);
}

static uint8_t copied[1600];

static int collect(void *user, const struct ct_value *value)
{
	static uint32_t behind; /* so many accesses is all of it */
	uint32_t *accesses_before = user;

	if (!value->offset)
		behind = *accesses_before;
	cr_assert_eq(*accesses_before, behind, "another warp's access is among the content");
	cr_assert_eq(value->part, CT_PART_CONTENT);
	cr_assert_eq(value->at->mask, 1);
	cr_assert_eq(value->at->address[0], CALLS_DATA);
	cr_assert_eq(value->at->range[0], sizeof(moved));
	cr_assert_geq(*accesses_before, 1);
	memcpy(copied + value->offset, value->data[0], value->bytes);
	return 0;
}

static int count_accesses(void *user, const struct ct_access *a)
{
	(void)a;
	++*(uint32_t *)user;
	return 0;
}

Test(trace_values, those_of_a_range_come_with_it_over_chunks)
{
	uint32_t count = 0;
	struct ct_scan request = {.access = count_accesses, .value = collect, .user = &count};
	struct ct_trace *trace;
	char why[512];

	for (size_t i = 0; i < sizeof(moved); i++)
		moved[i] = (uint8_t)(i * 37 + i / 256);
	directory = fixture_directory();
	cr_assert_eq(calls_make_with(directory, write_content), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_trace_scan(trace, &request, NULL), 0);
	ct_trace_close(trace);
	fixture_remove(directory);
	cr_assert_eq(count, 3);
	cr_assert_eq(memcmp(copied, moved, sizeof(moved)), 0);
	for (size_t i = sizeof(moved); i < sizeof(copied); i++)
		cr_assert_eq(copied[i], 0);
}

static void write_lost_chunk(struct ct_writer *writer)
{
	segment(0);
	event(CALLS_CALL, CT_PHASE_HAPPENS, 0xff);
	access(CALLS_LOAD, 0xff);
	ship(writer, 0);
	segment(0); /* ticket 1 is lost, and with it the values */
	access(CALLS_LEAF, 0xff);
	value(CALLS_LOAD, 0, 0xff, 7);
	event(CALLS_CALL, CT_PHASE_LEAVE, 0xff);
	access(CALLS_LEAF, 0x1);
	ship(writer, 2);
}

Test(trace_values, nothing_is_joined_across_a_lost_chunk)
{
	cr_assert_eq(scan(write_lost_chunk), 1);
	cr_assert_str_eq(log_text, "e1:ff@0 a0:ff@1 a3:ff@0 v0:ff=7 e1:ff@0 a3:1@0 ");
}

static void write_end(struct ct_writer *writer)
{
	segment(0);
	event(CALLS_CALL, CT_PHASE_HAPPENS, 0x3);
	access(CALLS_LOAD, 0x3);
	segment(1);
	access(CALLS_LOAD, 0x7);
	ship(writer, 0);
}

Test(trace_values, accesses_without_theirs_are_handed_out_at_the_end)
{
	cr_assert_eq(scan(write_end), 0);
	cr_assert(strstr(log_text, "a0:3@1 "), "%s", log_text);
	cr_assert(strstr(log_text, "a0:7@0 "), "%s", log_text);
}

/* More warps wait for values than are kept. */
static void write_many(struct ct_writer *writer)
{
	uint64_t ticket = 0;

	for (uint32_t cta = 0; cta < CALLS_CTAS; cta++) {
		words[used++] = CT_SEGMENT_WORD0(0, 0, 1);
		words[used++] = CT_SEGMENT_WORD1(0, cta);
		access(CALLS_LOAD, 0x1);
		if (used > 900)
			ship(writer, ticket++);
	}
	ship(writer, ticket);
}

static uint64_t accesses;

static int count_access(void *user, const struct ct_access *a)
{
	(void)user;
	(void)a;
	accesses++;
	return 0;
}

static int ignore_value(void *user, const struct ct_value *v)
{
	(void)user;
	(void)v;
	return 0;
}

Test(trace_values, what_waits_for_values_is_bounded_and_not_lost)
{
	struct ct_scan request = {.access = count_access, .value = ignore_value};
	struct ct_trace *trace;
	char why[512];

	directory = fixture_directory();
	cr_assert_eq(calls_make_with(directory, write_many), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_trace_scan(trace, &request, NULL), 0);
	cr_assert_eq(accesses, CALLS_CTAS);
	ct_trace_close(trace);
	fixture_remove(directory);
}

static void write_unknown_tag(struct ct_writer *writer)
{
	segment(0);
	access(CALLS_LEAF, 0x1);
	access(5 | 0x1234567ull << 32, 0x2);
	event(5 | 0x1234567ull << 32, CT_PHASE_HAPPENS, 0x2);
	access(9999, 0x4);
	access(CALLS_LEAF, 0x8);
	ship(writer, 0);
}

Test(trace_values, records_of_unknown_units_and_sites_are_skipped_with_a_warning)
{
	cr_assert_eq(scan(write_unknown_tag), 2);
	cr_assert_str_eq(log_text, "a3:1@0 a3:8@0 ");
	cr_assert_eq(damaged, 1);
}

static int stop_at_value(void *user, const struct ct_value *v)
{
	(void)user;
	(void)v;
	return 42;
}

Test(trace_values, a_scan_stops_at_a_value)
{
	struct ct_scan request = {.access = on_access, .value = stop_at_value};
	struct ct_trace *trace;
	char why[512];

	log_text[0] = '\0';
	directory = fixture_directory();
	cr_assert_eq(calls_make_with(directory, write_split_values), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_trace_scan(trace, &request, NULL), 42);
	cr_assert_str_eq(log_text, "a0:ff@0 ");
	ct_trace_close(trace);
	fixture_remove(directory);
}
