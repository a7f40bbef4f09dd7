/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads share the chunks of a trace, each with a view of it and a scanner: nothing else is
 * shared behind their backs. A plain program, for ThreadSanitizer.
 */
#include "tests/unit/trace/trace_fixture.h"
#include "trace/read/scanner.h"

#include <cudatrace/encode.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 6u
#define TICKETS 240u
#define CHUNK_TICKETS 4u

struct share {
	const struct ct_trace *of;
	struct ct_trace *trace; /* a view of it */
	uint32_t number, shares;
	uint64_t accesses, addresses, objects, damaged;
	int failed;
};

static int add_access(void *user, const struct ct_access *access)
{
	struct share *share = user;

	share->accesses++;
	for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
		uint64_t address = access->address[__builtin_ctz(rest)];

		share->addresses += address;
		share->objects += ct_trace_object_at(share->trace, access->launch, address) != NULL;
	}
	return 0;
}

static int take_chunks(struct share *share, struct ct_scanner *scanner, struct ct_loaded *loaded)
{
	size_t count = ct_trace_record_chunks(share->trace);
	int err = 0;

	for (size_t i = share->number; i < count && err == 0; i += share->shares) {
		err = ct_scanner_load(scanner, i, loaded);
		if (err == 0)
			err = ct_scanner_take(scanner, loaded);
		share->damaged += ct_loaded_is_damaged(loaded);
	}
	return err ? err : ct_scanner_end(scanner);
}

static void *run(void *argument)
{
	struct share *share = argument;
	struct ct_scan scan = {.access = add_access, .user = share};
	struct ct_scanner *scanner = NULL;
	struct ct_loaded *loaded = NULL;

	share->failed = ct_trace_view(&share->trace, share->of) < 0 ||
			ct_scanner_open(&scanner, share->trace, &scan, 1, 0) < 0 ||
			ct_loaded_open(&loaded) < 0 || take_chunks(share, scanner, loaded) != 0;
	ct_loaded_close(loaded);
	ct_scanner_close(scanner);
	return NULL;
}

/* The small trace with more records of its first launch, one chunk of them damaged. */
static void make(const char *directory)
{
	const struct ct_writer_options options = {.part = 1};
	const struct ct_event_launch launch = {
	    .header = {CT_EVENT_LAUNCH, 0, sizeof(launch), 1},
	    .launch = 1,
	    .unit_id = FIXTURE_UNIT_ID,
	    .unit_arch = 90,
	    .flags = CT_LAUNCH_TRACED,
	};
	const struct ct_event_alloc object = {
	    .header = {CT_EVENT_ALLOC, 0, sizeof(object), 1},
	    .address = FIXTURE_X,
	    .bytes = 1000,
	    .object = 1,
	    .kind = CT_OBJECT_DEVICE,
	};
	uint64_t words[80], address[CT_WARP_LANES];
	struct ct_writer_stream *stream;
	struct ct_writer *writer;
	char why[256], *content;
	size_t bytes;
	void *unit = fixture_unit(&bytes);

	if (fixture_make(directory, 1, true) < 0 ||
	    ct_writer_open(&writer, directory, &options, why, sizeof(why)) < 0)
		abort();
	ct_writer_unit(writer, unit, bytes);
	free(unit);
	ct_writer_event(writer, &object.header);
	ct_writer_event(writer, &launch.header);
	if (ct_writer_stream_open(&stream, writer, 0) < 0)
		abort();
	for (uint64_t ticket = 0; ticket < TICKETS; ticket++) {
		uint32_t n = 2;

		words[0] = CT_SEGMENT_WORD0(0, ticket, 1);
		words[1] = CT_SEGMENT_WORD1(ticket % 4, ticket % 8);
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			address[lane] = FIXTURE_X + ticket * 8 + lane * 4;
		n += ct_encode_access(words + n, 0, 4, CT_FULL_MASK, address);
		ct_writer_stream_records(stream, ticket, words, 8 * n);
		if (ticket % CHUNK_TICKETS == CHUNK_TICKETS - 1)
			ct_writer_stream_flush(stream);
	}
	if (ct_writer_stream_close(stream) < 0 || ct_writer_close(writer) < 0)
		abort();
	content = fixture_read(directory, "device-1-0.ct", &bytes);
	content[sizeof(struct ct_chunk_header)] ^= 1;
	fixture_write(directory, "device-1-0.ct", content, bytes);
	free(content);
}

/* A chunk is damaged, and the trace warned of it once. */
static int check(const struct share *share, const struct share *whole, size_t warnings)
{
	struct share sum = {0};

	for (uint32_t i = 0; i < THREADS; i++) {
		sum.accesses += share[i].accesses;
		sum.addresses += share[i].addresses;
		sum.objects += share[i].objects;
		sum.damaged += share[i].damaged;
		sum.failed |= share[i].failed;
	}
	if (!sum.failed && !whole->failed &&
	    sum.accesses == FIXTURE_ACCESSES + TICKETS - CHUNK_TICKETS &&
	    sum.addresses == whole->addresses && sum.objects == whole->objects &&
	    sum.objects > 1000 && sum.damaged == 1 && warnings == 1)
		return 0;
	fprintf(stderr,
		"%ju accesses, sum of addresses %ju, %ju in objects, %ju damaged chunks, %zu "
		"warnings\n",
		(uintmax_t)sum.accesses, (uintmax_t)sum.addresses, (uintmax_t)sum.objects,
		(uintmax_t)sum.damaged, warnings);
	return 1;
}

int main(void)
{
	char *directory = fixture_directory(), why[256];
	struct share share[THREADS], whole = {.shares = 1};
	struct ct_trace *trace, *view[THREADS];
	pthread_t thread[THREADS];
	const char *const *warnings;
	int failed;

	make(directory);
	if (ct_trace_open(&trace, directory, why, sizeof(why)) < 0)
		abort();
	for (uint32_t i = 0; i < THREADS; i++) {
		share[i] = (struct share){.of = trace, .number = i, .shares = THREADS};
		pthread_create(&thread[i], NULL, run, &share[i]);
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		view[i] = share[i].trace;
	}
	ct_trace_join_views(trace, view, THREADS);
	whole.of = trace;
	run(&whole);
	failed = check(share, &whole, ct_trace_warnings(trace, &warnings));
	for (uint32_t i = 0; i < THREADS; i++)
		ct_trace_close(view[i]);
	ct_trace_close(whole.trace);
	ct_trace_close(trace);
	fixture_remove(directory);
	return failed;
}
