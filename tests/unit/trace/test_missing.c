/* SPDX-License-Identifier: Apache-2.0 */
/* Directories that lack files or parts of files: what is missing is said, in full sentences. */
#include "tests/unit/trace/one_chunk.h"
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <cudatrace/record.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *directory;
static struct ct_trace *trace;
static char why[512];

static void make(void)
{
	directory = fixture_directory();
	cr_assert_eq(fixture_make(directory, 1, true), 0);
}

static void clean(void)
{
	ct_trace_close(trace);
	fixture_remove(directory);
}

TestSuite(missing, .init = make, .fini = clean);

static void cut_file(const char *name, size_t bytes)
{
	size_t all;
	char *content = fixture_read(directory, name, &all);

	cr_assert_leq(bytes, all);
	fixture_write(directory, name, content, bytes);
	free(content);
}

static uint64_t bytes_of(const char *name)
{
	size_t bytes;

	free(fixture_read(directory, name, &bytes));
	return bytes;
}

static void write_manifest(const char *format, uint64_t bytes)
{
	char text[1024];

	snprintf(text, sizeof(text), format, bytes);
	fixture_write(directory, "manifest-0.json", text, strlen(text));
}

static void refuse(const char *reason)
{
	char expected[512];

	snprintf(expected, sizeof(expected), "%s: %s", directory, reason);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), -CT_EFORMAT);
	cr_assert_str_eq(why, expected);
	cr_assert_null(trace);
}

/* Open and scan; the only warning is expected, NULL: there is none. */
static struct fixture_sum read_all(const char *expected)
{
	const char *const *warnings;
	struct fixture_sum sum;
	size_t count;

	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(fixture_scan(trace, &sum, NULL), 0);
	count = ct_trace_warnings(trace, &warnings);
	cr_assert_eq(count, expected != NULL, "%s", count ? warnings[0] : "no warning");
	if (expected)
		cr_assert_str_eq(warnings[0], expected);
	return sum;
}

Test(missing, everything)
{
	fixture_delete(directory, "events-0.ct");
	fixture_delete(directory, "device-0-0.ct");
	fixture_delete(directory, "manifest-0.json");
	refuse("not a trace directory (it holds no events-*.ct)");
}

Test(missing, everything_but_the_manifest)
{
	fixture_delete(directory, "events-0.ct");
	fixture_delete(directory, "device-0-0.ct");
	refuse("holds no events-*.ct, without which nothing else in it can be read; "
	       "was it copied in full?");
}

Test(missing, events)
{
	fixture_delete(directory, "events-0.ct");
	refuse("holds no events-*.ct, without which nothing else in it can be read; "
	       "was it copied in full?");
}

Test(missing, content_of_the_records_file)
{
	cut_file("device-0-0.ct", 0);
	cr_assert_eq(read_all("device-0-0.ct: is empty (cut or still being written)").accesses, 0);
}

Test(missing, events_of_one_part)
{
	size_t bytes;
	char *content = fixture_read(directory, "device-0-0.ct", &bytes);
	const char *const *warnings;
	struct fixture_sum sum;
	uint64_t damaged;

	fixture_write(directory, "device-7-0.ct", content, bytes);
	free(content);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(fixture_scan(trace, &sum, &damaged), 0);
	cr_assert_eq(sum.accesses, FIXTURE_ACCESSES);
	cr_assert_eq(damaged, 2);
	ct_trace_warnings(trace, &warnings);
	cr_assert_str_eq(warnings[0],
			 "device-7-0.ct: events-7.ct is missing, so its records have no meaning");
}

#define TOTALS "{\"command\": [\"totals\"], \"totals\": {\"a\": 1, \"trace_bytes\": %" PRIu64 "}}"

Test(missing, nothing_if_the_manifest_counts_what_is_there)
{
	write_manifest(TOTALS, bytes_of("events-0.ct") + bytes_of("device-0-0.ct"));
	cr_assert_eq(read_all(NULL).accesses, FIXTURE_ACCESSES);
}

Test(missing, nothing_if_there_is_more_than_the_manifest_counts)
{
	write_manifest(TOTALS, bytes_of("events-0.ct"));
	cr_assert_eq(read_all(NULL).accesses, FIXTURE_ACCESSES);
}

Test(missing, a_whole_file)
{
	uint64_t events = bytes_of("events-0.ct"), records = bytes_of("device-0-0.ct");
	char expected[200];

	write_manifest(TOTALS, events + records);
	fixture_delete(directory, "device-0-0.ct");
	snprintf(expected, sizeof(expected),
		 "manifest-0.json: %" PRIu64 " bytes were written, of which %" PRIu64
		 " are missing: files are cut or were not copied",
		 events + records, records);
	cr_assert_eq(read_all(expected).accesses, 0);
}

Test(missing, whole_chunks_at_the_end_of_a_file)
{
	uint64_t events = bytes_of("events-0.ct"), records = bytes_of("device-0-0.ct");
	size_t first;
	char *content = fixture_read(directory, "device-0-0.ct", &first), expected[200];
	uint32_t coded;

	memcpy(&coded, content + offsetof(struct ct_chunk_header, coded_bytes), sizeof(coded));
	free(content);
	first = sizeof(struct ct_chunk_header) + coded;
	write_manifest(TOTALS, events + records);
	cut_file("device-0-0.ct", first);
	snprintf(expected, sizeof(expected),
		 "manifest-0.json: %" PRIu64 " bytes were written, of which %" PRIu64
		 " are missing: files are cut or were not copied",
		 events + records, records - first);
	cr_assert_eq(read_all(expected).accesses, FIXTURE_ACCESSES / 2);
}

Test(missing, nothing_if_the_manifest_says_it_elsewhere_or_nowhere)
{
	static const char *const others[] = {
	    "",
	    "{",
	    "\"",
	    "\"\\",
	    "{\"totals\": {\"trace_bytes\"",
	    "{\"totals\": {\"trace_bytes\":",
	    "{\"totals\": {\"trace_bytes\": -%" PRIu64 "}}",
	    "{\"trace_bytes\": %" PRIu64 "}",
	    "{\"totals\": {}, \"trace_bytes\": %" PRIu64 "}",
	    "{\"options\": {\"totals\": {\"trace_bytes\": %" PRIu64 "}}}",
	    "{\"totals\": {\"inner\": {\"trace_bytes\": %" PRIu64 "}}}",
	    "{\"totals\": 1, \"others\": {\"trace_bytes\": %" PRIu64 "}}",
	    "{\"command\": [\"\\\"totals\\\": {\\\"trace_bytes\\\": %" PRIu64 "}\"]}",
	    "{\"totals\": \"trace_bytes\", \"x\": %" PRIu64 "}",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		write_manifest(others[i], 1000000);
		cr_assert_eq(read_all(NULL).accesses, FIXTURE_ACCESSES, "case %zu", i);
		ct_trace_close(trace);
		trace = NULL;
	}
}

Test(missing, more_than_anyone_reads)
{
	const struct ct_writer_options options = {.part = 1};
	uint64_t words[] = {CT_SEGMENT_WORD0(0, 0, 1), CT_SEGMENT_WORD1(0, 0)};
	const char *const *warnings;
	struct ct_writer *writer;

	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
	for (uint64_t ticket = 0; ticket < 3000; ticket += 2)
		cr_assert_eq(write_one_chunk(writer, 0, ticket, words, sizeof(words)), 0);
	cr_assert_eq(ct_writer_close(writer), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_trace_warnings(trace, &warnings), 1000);
	cr_assert_str_eq(warnings[998], "device-1-0.ct: tickets 1997 to 1997 are missing");
	cr_assert_str_eq(warnings[999], "there are further warnings, which are left out");
}
