/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A shard of the trace per thread, each with a trace of its own: nothing is
 * shared behind their backs. A plain program, for ThreadSanitizer.
 */
#include "tests/unit/trace/trace_fixture.h"

#include <cudatrace/encode.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 6u
#define TICKETS 240u
#define CHUNK_TICKETS 4u

struct shard {
	const char *directory;
	uint32_t number, shards;
	struct ct_trace *trace;
	uint64_t accesses, addresses, objects, damaged;
	size_t warnings;
	int failed;
};

static int add_access(void *user, const struct ct_access *access)
{
	struct shard *shard = user;

	shard->accesses++;
	for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
		uint64_t address = access->address[__builtin_ctz(rest)];

		shard->addresses += address;
		shard->objects += ct_trace_object_at(shard->trace, access->launch, address) != NULL;
	}
	return 0;
}

static void *run(void *argument)
{
	struct shard *shard = argument;
	struct ct_scan scan = {
	    .access = add_access, .user = shard, .shard = shard->number, .shards = shard->shards};
	const char *const *warnings;
	char why[256];

	if (ct_trace_open(&shard->trace, shard->directory, why, sizeof(why)) < 0) {
		fprintf(stderr, "%s\n", why);
		shard->failed = 1;
		return NULL;
	}
	shard->failed = ct_trace_scan(shard->trace, &scan, &shard->damaged) != 0;
	shard->warnings = ct_trace_warnings(shard->trace, &warnings);
	ct_trace_close(shard->trace);
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

static int check(const struct shard *one, const struct shard *shards)
{
	struct shard sum = {0};

	for (uint32_t i = 0; i < THREADS; i++) {
		sum.accesses += shards[i].accesses;
		sum.addresses += shards[i].addresses;
		sum.objects += shards[i].objects;
		sum.damaged += shards[i].damaged;
		sum.warnings += shards[i].warnings;
		sum.failed |= shards[i].failed;
	}
	if (!one->failed && !sum.failed && sum.accesses == one->accesses &&
	    sum.addresses == one->addresses && sum.objects == one->objects &&
	    sum.damaged == one->damaged && sum.warnings == one->warnings &&
	    one->accesses == FIXTURE_ACCESSES + TICKETS - CHUNK_TICKETS && one->objects > 1000 &&
	    one->damaged == 1 && one->warnings == 1)
		return 0;
	fprintf(stderr, "%ju of %ju accesses, %ju of %ju damaged chunks, %zu of %zu warnings\n",
		(uintmax_t)sum.accesses, (uintmax_t)one->accesses, (uintmax_t)sum.damaged,
		(uintmax_t)one->damaged, sum.warnings, one->warnings);
	return 1;
}

int main(void)
{
	char *directory = fixture_directory();
	struct shard shards[THREADS], one = {.directory = directory};
	pthread_t threads[THREADS];
	int failed;

	make(directory);
	for (uint32_t i = 0; i < THREADS; i++) {
		shards[i] = (struct shard){.directory = directory, .number = i, .shards = THREADS};
		pthread_create(&threads[i], NULL, run, &shards[i]);
	}
	for (uint32_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	run(&one);
	failed = check(&one, shards);
	fixture_remove(directory);
	return failed;
}
