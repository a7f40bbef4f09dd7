/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ring and its consumers: nothing is lost or out of order, refusals and
 * failed writes are counted, dead producers do not hang it.
 */
#include "tests/unit/host-rt/ring_bench.h"
#include "tests/unit/trace/trace_fixture.h"
#include "trace/write/writer.h"
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define CHUNKS_EACH 3000u

static void check_lossless(uint32_t chunks, uint32_t consumers, uint64_t first_ticket)
{
	struct bench *bench =
	    bench_open(chunks, consumers, first_ticket, chunks > 2 ? CHUNKS_EACH : CHUNKS_EACH / 6);

	cr_assert(bench_run(bench), "%u chunks, %u consumers", chunks, consumers);
	cr_assert(bench_is_lossless(bench), "%u chunks, %u consumers", chunks, consumers);
	bench_close(bench);
}

Test(hostrt_consumer, takes_every_chunk_in_ticket_order, .timeout = 60)
{
	check_lossless(1024, 1, 0);
	check_lossless(1024, 3, 0);
	check_lossless(1024, 14, 0);
	check_lossless(1024, CT_CONSUMERS_MAX, 0);
}

Test(hostrt_consumer, works_with_a_ring_of_two_chunks, .timeout = 60)
{
	check_lossless(2, 1, 0);
	check_lossless(2, 2, 0);
	check_lossless(2, 14, 0);
}

/* After a device reset tickets go on where they were; the tag has 40 bits. */
Test(hostrt_consumer, tickets_may_begin_anywhere, .timeout = 60)
{
	check_lossless(64, 1, (1ull << 40) - 1000);
	check_lossless(64, 5, (1ull << 40) - 1000);
	check_lossless(64, 5, 64 * 5 * 7 + 63);
}

Test(hostrt_consumer, can_be_started_again, .timeout = 60)
{
	struct bench *bench = bench_open(16, 3, 0, 100);

	cr_assert(bench_run(bench));
	free(bench->seen);
	bench->seen = calloc(BENCH_PRODUCERS * 200, 1);
	cr_assert(bench_run(bench));
	cr_assert_eq(bench->taken, 2 * BENCH_PRODUCERS * 100);
	cr_assert_eq(bench->written, bench->taken);
	cr_assert_eq(bench->disordered, 0);
	cr_assert_eq(bench->consumers.next, bench->head);
	bench_close(bench);
}

Test(hostrt_consumer, slow_sinks_cost_time_only, .timeout = 60)
{
	struct bench *bench = bench_open(2, 4, 0, 300);

	bench->slow_us = 20;
	cr_assert(bench_run(bench));
	cr_assert(bench_is_lossless(bench));
	bench_close(bench);
}

Test(hostrt_consumer, refused_chunks_are_counted_and_producers_go_on, .timeout = 60)
{
	struct bench *bench = bench_open(16, 3, 0, CHUNKS_EACH);

	bench->fail_after = 100;
	cr_assert(bench_run(bench));
	cr_assert_eq(bench->taken, BENCH_PRODUCERS * CHUNKS_EACH);
	cr_assert_eq(bench->consumers.lost, BENCH_PRODUCERS * CHUNKS_EACH - 100);
	bench_close(bench);
}

Test(hostrt_consumer, chunks_lost_in_writes_are_counted, .timeout = 60)
{
	struct bench *bench = bench_open(128, 3, 0, CHUNKS_EACH);

	bench->lose_writes = 5;
	cr_assert(bench_run(bench));
	cr_assert_gt(bench->lost_in_writes, 0);
	cr_assert_eq(bench->consumers.lost, bench->lost_in_writes);
	cr_assert_eq(bench->written + bench->lost_in_writes, BENCH_PRODUCERS * CHUNKS_EACH);
	bench_close(bench);
}

static void check_dead_producers(uint32_t consumers, uint64_t head, uint64_t lost)
{
	struct bench *bench = bench_open(256, consumers, 60, CHUNKS_EACH);

	cr_assert_eq(ct_consumers_start(&bench->consumers), 0);
	for (uint64_t i = 0; i < 10; i++)
		bench_ship(bench, 0, i);
	bench->head += 3; /* drawn, never shipped */
	for (uint64_t i = 10; i < 100; i++)
		bench_ship(bench, 0, i);
	cr_assert(ct_consumers_wait(&bench->consumers, 70, 10000000000ull));
	cr_assert_not(ct_consumers_wait(&bench->consumers, 71, 100000000ull));
	ct_consumers_stop(&bench->consumers, true, head);
	cr_assert_eq(bench->taken, 100);
	cr_assert_eq(bench->written, 100);
	cr_assert_eq(bench->disordered, 0);
	cr_assert_eq(bench->consumers.lost, lost);
	cr_assert_eq(bench->damaged, 0);
	cr_assert_eq(bench->consumers.next, head > 163 ? head : 163);
	bench_close(bench);
}

Test(hostrt_consumer, dead_producers_cost_only_what_they_held, .timeout = 60)
{
	check_dead_producers(1, 0, 3);
	check_dead_producers(2, 0, 3);
	check_dead_producers(14, 0, 3);
	check_dead_producers(14, 170, 10); /* and seven that were drawn last */
}

Test(hostrt_consumer, a_length_past_the_chunk_is_damage, .timeout = 60)
{
	struct bench *bench = bench_open(8, 1, 0, 1);

	cr_assert_eq(ct_consumers_start(&bench->consumers), 0);
	__atomic_store_n(&bench->flags[0], CT_FLAG(0, CT_CHUNK_BYTES + 8), __ATOMIC_RELEASE);
	cr_assert(ct_consumers_wait(&bench->consumers, 1, 10000000000ull));
	ct_consumers_stop(&bench->consumers, false, 0);
	cr_assert_eq(bench->taken, 0);
	cr_assert_eq(bench->consumers.lost, 1);
	bench_close(bench);
}

/* Tickets in the files of a device. */
static uint64_t tickets_in(const char *directory)
{
	uint64_t tickets = 0;
	char name[64] = "device-0-0.ct";

	for (unsigned number = 1; fixture_has(directory, name); number++) {
		tickets += fixture_chunks(directory, name).tickets;
		snprintf(name, sizeof(name), "device-0-0-%u.ct", number);
	}
	return tickets;
}

/* Every chunk is in the file or counted as lost, whichever of the consumers had it. */
static void check_full(uint32_t consumers, const struct ct_writer_options *options, int closed)
{
	struct bench *bench = bench_open(64, consumers, 0, CHUNKS_EACH);
	char directory[] = "/tmp/ct-consumer-XXXXXX", why[256], command[300];
	uint64_t stored;

	cr_assert_not_null(mkdtemp(directory));
	cr_assert_eq(ct_writer_open(&bench->writer, directory, options, why, sizeof(why)), 0, "%s",
		     why);
	cr_assert(bench_run(bench));
	cr_assert_eq(ct_writer_close(bench->writer), closed);
	cr_assert_eq(bench->taken, BENCH_PRODUCERS * CHUNKS_EACH);
	stored = tickets_in(directory);
	cr_assert_gt(stored, 0);
	cr_assert_gt(bench->consumers.lost, 0);
	cr_assert_eq(stored + bench->consumers.lost, bench->taken);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	cr_assert_eq(system(command), 0);
	bench_close(bench);
}

/* The limit is no error of the files. */
Test(hostrt_consumer, past_the_size_limit_chunks_are_lost_and_counted, .timeout = 60)
{
	const struct ct_writer_options options = {.limit_bytes = 64 << 10};

	check_full(1, &options, 0);
	check_full(3, &options, 0);
	check_full(14, &options, 0);
}

Test(hostrt_consumer, on_a_full_disk_chunks_are_lost_and_counted, .timeout = 60)
{
	const struct ct_writer_options options = {.fixed_codec = CT_CODEC_NONE + 1};
	const struct rlimit limit = {3000000, 3000000};

	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	check_full(1, &options, -EFBIG);
	check_full(5, &options, -EFBIG);
	check_full(14, &options, -EFBIG);
}
