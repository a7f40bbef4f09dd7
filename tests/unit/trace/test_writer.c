/* SPDX-License-Identifier: Apache-2.0 */
/* The writer: directories, limits, failures, threads. */
#include "tests/unit/trace/one_chunk.h"
#include "tests/unit/trace/trace_fixture.h"
#include "trace/codec/chunk.h"

#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char *directory;
static struct ct_writer *writer;
static struct ct_writer_stream *stream;
static char why[512];

static void make(void)
{
	directory = fixture_directory();
}

static void clean(void)
{
	fixture_remove(directory);
}

TestSuite(writer, .init = make, .fini = clean);

static int open_writer(int level, uint64_t limit_bytes)
{
	const struct ct_writer_options options = {.level = level,
						  .limit_bytes = limit_bytes,
						  .fixed_codec = level ? 0 : CT_CODEC_NONE + 1};

	return ct_writer_open(&writer, directory, &options, why, sizeof(why));
}

Test(writer, creates_missing_parents)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/a/b/run.ctrace/", directory);
	cr_assert_eq(fixture_make(path, 1, false), 0);
	cr_assert(fixture_has(directory, "a/b/run.ctrace/events-0.ct"));
	fixture_remove(strdup(path));
	snprintf(path, sizeof(path), "%s/a/b", directory);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/a", directory);
	rmdir(path);
}

Test(writer, empties_a_directory_of_an_earlier_trace)
{
	cr_assert_eq(fixture_make(directory, 1, false), 0);
	fixture_write(directory, "events-3.ct", "", 0);
	fixture_write(directory, "device-3-1.ct", "", 0);
	cr_assert_eq(open_writer(1, 0), 0);
	cr_assert_not(fixture_has(directory, "manifest-0.json"));
	cr_assert_not(fixture_has(directory, "device-0-0.ct"));
	cr_assert_not(fixture_has(directory, "events-3.ct"));
	cr_assert_not(fixture_has(directory, "device-3-1.ct"));
	cr_assert_eq(ct_writer_close(writer), 0);
}

Test(writer, other_parts_remove_only_their_own_files)
{
	const struct ct_writer_options options = {.part = 3};

	cr_assert_eq(fixture_make(directory, 1, false), 0);
	fixture_write(directory, "device-3-1.ct", "", 0);
	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0);
	cr_assert_eq(ct_writer_close(writer), 0);
	cr_assert(fixture_has(directory, "device-0-0.ct"));
	cr_assert(fixture_has(directory, "manifest-0.json"));
	cr_assert(fixture_has(directory, "events-3.ct"));
	cr_assert_not(fixture_has(directory, "device-3-1.ct"));
}

Test(writer, leaves_a_directory_with_other_files_alone)
{
	static const char *const others[] = {"thesis.tex", "events-0.txt", "device-0.ct",
					     ".hidden"};

	for (size_t i = 0; i < 4; i++) {
		char path[512];

		cr_assert_eq(fixture_make(directory, 1, false), 0);
		fixture_write(directory, others[i], "x", 1);
		cr_assert_eq(open_writer(1, 0), -ENOTEMPTY);
		cr_assert_null(writer);
		cr_assert(strstr(why, "the directory holds other files; name another or empty it"));
		cr_assert(fixture_has(directory, "events-0.ct"));
		snprintf(path, sizeof(path), "%s/%s", directory, others[i]);
		unlink(path);
	}
}

Test(writer, does_not_write_through_a_link)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/events-0.ct", directory);
	cr_assert_eq(symlink("/dev/null", path), 0);
	cr_assert_eq(open_writer(1, 0), -ENOTEMPTY);
}

Test(writer, says_why_a_directory_cannot_be_made)
{
	char path[512], expected[1024];
	const struct ct_writer_options options = {0};

	fixture_write(directory, "file", "x", 1);
	snprintf(path, sizeof(path), "%s/file/run.ctrace", directory);
	snprintf(expected, sizeof(expected), "cannot create %s: Not a directory", path);
	cr_assert_eq(ct_writer_open(&writer, path, &options, why, sizeof(why)), -ENOTDIR);
	cr_assert_str_eq(why, expected);
}

Test(writer, stores_and_compresses_alike)
{
	struct fixture_sum stored, compressed;
	struct ct_trace *trace;
	uint64_t stored_bytes;

	cr_assert_eq(fixture_make(directory, 0, false), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0);
	cr_assert_eq(fixture_scan(trace, &stored, NULL), 0);
	stored_bytes = ct_trace_bytes(trace);
	ct_trace_close(trace);
	cr_assert_eq(fixture_make(directory, 19, false), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0);
	cr_assert_eq(fixture_scan(trace, &compressed, NULL), 0);
	cr_assert_lt(ct_trace_bytes(trace), stored_bytes);
	cr_assert_eq(memcmp(&stored, &compressed, sizeof(stored)), 0);
	ct_trace_close(trace);
}

Test(writer, numbers_equal_strings_alike)
{
	uint32_t a, b, c, none;

	cr_assert_eq(open_writer(1, 0), 0);
	cr_assert_eq(ct_writer_string(writer, "a", &a), 0);
	cr_assert_eq(ct_writer_string(writer, "b", &b), 0);
	cr_assert_eq(ct_writer_string(writer, "a", &c), 0);
	cr_assert_eq(a, 1);
	cr_assert_eq(b, 2);
	cr_assert_eq(c, 1);
	cr_assert_eq(ct_writer_string(writer, "", &none), 0);
	cr_assert_eq(none, 0);
	cr_assert_eq(ct_writer_string(writer, NULL, &none), 0);
	cr_assert_eq(none, 0);
	cr_assert_eq(ct_writer_close(writer), 0);
}

static void write_loss(const char *reason)
{
	struct ct_event_loss event = {.header = {CT_EVENT_LOSS, 0, sizeof(event), 0}};

	cr_assert_eq(ct_writer_string(writer, reason, &event.reason), 0);
	cr_assert_eq(ct_writer_event(writer, &event.header), 0);
}

Test(writer, keeps_many_and_long_strings)
{
	size_t long_bytes = 3u << 20;
	char *long_string = malloc(long_bytes + 1), text[32];
	const struct ct_loss_info *losses;
	struct ct_trace *trace;

	memset(long_string, 'x', long_bytes);
	long_string[long_bytes] = '\0';
	cr_assert_eq(open_writer(1, 0), 0);
	for (int i = 0; i < 20000; i++) {
		snprintf(text, sizeof(text), "reason %d", i % 15000);
		write_loss(i == 700 ? long_string : text);
	}
	cr_assert_eq(ct_writer_close(writer), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0);
	cr_assert_eq(ct_trace_losses(trace, &losses), 20000);
	cr_assert_str_eq(losses[14999].reason, "reason 14999");
	cr_assert_str_eq(losses[19999].reason, "reason 4999");
	cr_assert_str_eq(losses[700].reason, long_string);
	cr_assert_eq(ct_trace_warnings(trace, &(const char *const *){NULL}), 0);
	ct_trace_close(trace);
	free(long_string);
}

Test(writer, refuses_what_no_chunk_can_hold)
{
	char *huge = malloc(CT_CHUNK_RAW_MAX + 1);
	struct ct_event_header event = {.kind = 77, .bytes = 12};
	uint64_t words[2] = {0};
	uint32_t id;

	memset(huge, 'x', CT_CHUNK_RAW_MAX);
	huge[CT_CHUNK_RAW_MAX] = '\0';
	cr_assert_eq(open_writer(1, 0), 0);
	cr_assert_eq(ct_writer_string(writer, huge, &id), -EMSGSIZE);
	cr_assert_eq(ct_writer_unit(writer, huge, CT_CHUNK_RAW_MAX + 1), -EMSGSIZE);
	cr_assert_eq(ct_writer_unit(writer, huge, CT_CHUNK_RAW_MAX), -CT_EFORMAT);
	cr_assert_eq(ct_writer_event(writer, &event), -EINVAL);
	cr_assert_eq(ct_writer_stream_open(&stream, writer, 0), 0);
	cr_assert_eq(ct_writer_stream_records(stream, 0, words, 7), -EINVAL);
	cr_assert_eq(ct_writer_stream_records(stream, 5, words, 16), 0);
	cr_assert_eq(ct_writer_stream_records(stream, 5, words, 16), -EINVAL);
	cr_assert_eq(ct_writer_stream_close(stream), 0);
	cr_assert_eq(ct_writer_close(writer), 0);
	free(huge);
}

Test(writer, writes_a_unit_once)
{
	size_t bytes;
	void *blob = fixture_unit(&bytes);
	uint64_t before;

	cr_assert_eq(open_writer(1, 0), 0);
	cr_assert_eq(ct_writer_unit(writer, blob, bytes), 0);
	before = ct_writer_bytes(writer);
	cr_assert_eq(ct_writer_unit(writer, blob, bytes), 0);
	cr_assert_eq(ct_writer_bytes(writer), before);
	cr_assert_eq(ct_writer_close(writer), 0);
	free(blob);
}

/* One ring chunk of incompressible records. */
static void fill_records(uint64_t words[512], uint64_t ticket)
{
	words[0] = CT_SEGMENT_WORD0(0, ticket, 1);
	words[1] = CT_SEGMENT_WORD1(0, 0);
	for (uint64_t i = 2, x = ticket + 1; i < 512; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		words[i] = (uint64_t)CT_REC_UNIFORM << CT_RECORD_KIND_SHIFT | x >> 16;
	}
}

Test(writer, refuses_records_past_the_limit_but_takes_events)
{
	uint64_t words[512], ticket = 0;
	int err;

	cr_assert_eq(open_writer(1, 1u << 20), 0);
	cr_assert_eq(ct_writer_stream_open(&stream, writer, 0), 0);
	do {
		fill_records(words, ticket);
		err = ct_writer_stream_records(stream, ticket++, words, sizeof(words));
	} while (err == 0 && ticket < 10000);
	cr_assert_eq(err, -CT_ELIMIT);
	write_loss("limit");
	cr_assert_eq(write_one_chunk(writer, 1, 0, words, sizeof(words)), -CT_ELIMIT);
	cr_assert_eq(ct_writer_stream_close(stream), 0);
	cr_assert_eq(ct_writer_close(writer), 0);
	cr_assert_gt(ticket, 200);
	cr_assert_lt(ticket, 700);
}

Test(writer, begins_a_chunk_at_a_gap_in_the_tickets)
{
	uint64_t words[512];
	const char *const *warnings;
	struct ct_trace *trace;

	cr_assert_eq(open_writer(1, 0), 0);
	fill_records(words, 0);
	cr_assert_eq(ct_writer_stream_open(&stream, writer, 0), 0);
	cr_assert_eq(ct_writer_stream_records(stream, 0, words, sizeof(words)), 0);
	cr_assert_eq(ct_writer_stream_records(stream, 1, words, sizeof(words)), 0);
	cr_assert_eq(ct_writer_stream_records(stream, 5, words, sizeof(words)), 0);
	cr_assert_eq(ct_writer_stream_close(stream), 0);
	write_loss("a gap");
	cr_assert_eq(ct_writer_close(writer), 0);
	cr_assert_eq(fixture_chunks(directory, "device-0-0.ct").chunks, 2);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0);
	cr_assert_eq(ct_trace_warnings(trace, &warnings), 1);
	cr_assert_str_eq(warnings[0], "device-0-0.ct: tickets 2 to 4 are missing");
	ct_trace_close(trace);
}

/* A file-size limit makes write short, then fails it: as a full disk does. */
Test(writer, leaves_whole_chunks_only_when_the_disk_is_full, .timeout = 60)
{
	const struct rlimit limit = {700000, 700000};
	uint64_t words[512], ticket = 0;
	char expected[1024];
	int err;

	cr_assert_eq(open_writer(0, 0), 0);
	cr_assert_eq(ct_writer_stream_open(&stream, writer, 0), 0);
	write_loss("before");
	cr_assert_eq(ct_writer_flush(writer), 0);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0); /* SIGXFSZ is not ignored */
	do {
		fill_records(words, ticket);
		err = ct_writer_stream_records(stream, ticket++, words, sizeof(words));
	} while (err == 0 && ticket < 1000);
	cr_assert_eq(err, -EFBIG);
	cr_assert_eq(ct_writer_stream_lost(stream), 64);
	snprintf(expected, sizeof(expected), "cannot write %s/device-0-0.ct: File too large",
		 directory);
	cr_assert_str_eq(ct_writer_error(writer), expected);
	cr_assert_eq(ct_writer_flush(writer), -EFBIG);
	cr_assert_eq(ct_writer_event(writer, &(struct ct_event_header){9, 0, 16, 0}), -EFBIG);
	cr_assert_eq(ct_writer_manifest(writer, "{\"complete\": false}"), -EFBIG);
	cr_assert_eq(ct_writer_stream_close(stream), -EFBIG);
	cr_assert_eq(ct_writer_close(writer), -EFBIG);
	cr_assert_eq(fixture_chunks(directory, "device-0-0.ct").chunks, 2);
	cr_assert_eq(fixture_chunks(directory, "events-0.ct").chunks,
		     3); /* events come through to the end */
	cr_assert(fixture_has(directory, "manifest-0.json"));
}

#define THREADS 4u
#define TICKETS 300u

static void *append_tickets(void *argument)
{
	uint32_t device = *(uint32_t *)argument;
	uint64_t words[512];
	struct ct_writer_stream *own;

	if (ct_writer_stream_open(&own, writer, device) < 0)
		return argument;
	for (uint64_t ticket = 0; ticket < TICKETS; ticket++) {
		fill_records(words, ticket);
		if (ct_writer_stream_records(own, ticket, words, sizeof(words)) < 0)
			return argument;
		write_loss("from a thread");
		if (ticket % 100 == 0)
			ct_writer_flush(writer);
	}
	return ct_writer_stream_close(own) < 0 ? argument : NULL;
}

Test(writer, takes_records_of_several_devices_at_once)
{
	pthread_t threads[THREADS];
	uint32_t devices[THREADS];
	const char *const *warnings;
	const struct ct_loss_info *losses;
	struct ct_trace *trace;

	cr_assert_eq(open_writer(1, 0), 0);
	for (uint32_t i = 0; i < THREADS; i++) {
		devices[i] = i;
		pthread_create(&threads[i], NULL, append_tickets, &devices[i]);
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		void *failed;

		pthread_join(threads[i], &failed);
		cr_assert_null(failed);
	}
	cr_assert_eq(ct_writer_close(writer), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0);
	cr_assert_eq(ct_trace_warnings(trace, &warnings), 0);
	cr_assert_eq(ct_trace_losses(trace, &losses), THREADS * TICKETS);
	ct_trace_close(trace);
}

Test(writer, closes_nothing_without_complaint)
{
	cr_assert_eq(ct_writer_close(NULL), 0);
	ct_trace_close(NULL);
}

Test(error, every_error_has_a_text)
{
	cr_assert_str_eq(ct_strerror(-CT_ETORN), "ends inside a chunk");
	cr_assert_str_eq(ct_strerror(CT_ELIMIT), "size limit reached");
	cr_assert_str_eq(ct_strerror(-ENOSPC), "No space left on device");
}
