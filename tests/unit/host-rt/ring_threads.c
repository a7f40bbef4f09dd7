/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Producers, consumers and a writer, all threads of them: 1 to 14 consumers,
 * rings of 2 to 256 chunks, fast and slow; nothing may be lost. A plain program:
 * Criterion does not run under ThreadSanitizer, for which this is made.
 */
#include "tests/unit/host-rt/ring_bench.h"
#include "tests/unit/trace/trace_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#define CHUNKS_EACH 250u

static int fail(uint32_t chunks, uint32_t consumers, const char *what)
{
	fprintf(stderr, "ring of %u chunks, %u consumers: %s\n", chunks, consumers, what);
	return 1;
}

/* Every chunk has 0 to 509 records of the same kind: the files must hold them all. */
static uint64_t accesses_expected(void)
{
	uint64_t accesses = 0;

	for (uint64_t number = 0; number < CHUNKS_EACH; number++)
		accesses += number % 510;
	return BENCH_PRODUCERS * accesses;
}

static int read_back(const char *directory)
{
	const struct ct_loss_info *losses;
	const char *const *warnings;
	struct ct_trace *trace;
	struct fixture_sum sum = {0};
	uint64_t damaged = 0;
	char why[256];
	int is_good;

	if (ct_trace_open(&trace, directory, why, sizeof(why)) < 0) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	is_good = ct_trace_losses(trace, &losses) == 0 &&
		  ct_trace_warnings(trace, &warnings) == 0 &&
		  fixture_scan(trace, &sum, &damaged) == 0 && damaged == 0 &&
		  sum.accesses == accesses_expected();
	ct_trace_close(trace);
	return is_good ? 0 : 1;
}

/* The launches that chunks name, one per producer. */
static int write_launches(struct ct_writer *writer)
{
	size_t bytes;
	void *unit = fixture_unit(&bytes);
	int err = ct_writer_unit(writer, unit, bytes);

	free(unit);
	for (uint32_t launch = 1; launch <= BENCH_PRODUCERS && err == 0; launch++) {
		struct ct_event_launch event = {
		    .header = {CT_EVENT_LAUNCH, 0, sizeof(event), launch},
		    .launch = launch,
		    .unit_id = FIXTURE_UNIT_ID,
		    .unit_arch = 90,
		    .grid = {512, 1, 1},
		    .block = {64, 1, 1},
		    .cluster = {1, 1, 1},
		    .flags = CT_LAUNCH_TRACED,
		};

		err = ct_writer_event(writer, &event.header);
	}
	return err;
}

static int run(uint32_t chunks, uint32_t consumers, uint32_t slow_us)
{
	const struct ct_writer_options options = {.level = 1};
	struct bench *bench = bench_open(chunks, consumers, 0, CHUNKS_EACH);
	char *directory = fixture_directory(), why[256];
	int failed = 0;

	bench->slow_us = slow_us;
	if (ct_writer_open(&bench->writer, directory, &options, why, sizeof(why)) < 0)
		return fail(chunks, consumers, why);
	if (write_launches(bench->writer) < 0)
		failed |= fail(chunks, consumers, "events are refused");
	if (!bench_run(bench))
		failed |= fail(chunks, consumers, "does not come to its end");
	if (!bench_is_lossless(bench))
		failed |= fail(chunks, consumers, "chunks are lost, damaged or out of order");
	if (ct_writer_close(bench->writer) < 0)
		failed |= fail(chunks, consumers, "the writer failed");
	if (read_back(directory))
		failed |= fail(chunks, consumers, "the files do not hold all records");
	fixture_remove(directory);
	bench_close(bench);
	return failed;
}

int main(void)
{
	static const uint32_t consumers[] = {1, 2, 3, 8, 14};
	int failed = 0;

	for (size_t i = 0; i < sizeof(consumers) / sizeof(consumers[0]); i++) {
		failed |= run(2, consumers[i], 0);
		failed |= run(256, consumers[i], 0);
	}
	failed |= run(2, 14, 20);
	return failed;
}
