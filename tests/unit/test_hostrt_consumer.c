/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ring and its consumer, with threads as producers that follow ring.h:
 * nothing is lost or out of order, refusals are counted, dead producers do
 * not hang it.
 */
#include "host-rt/consumer.h"
#include "trace/writer.h"
#include <criterion/criterion.h>
#include <cudatrace/record.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PRODUCERS 8u
#define CHUNKS_EACH 3000u

struct bench {
	struct ct_consumer consumer;
	char *ring;
	uint64_t *flags;
	uint64_t progress[CT_PROGRESS_STRIDE];
	uint64_t head;
	/* what the sink saw */
	uint64_t expected_ticket;
	uint64_t taken;
	uint64_t gaps;
	uint64_t damaged;
	uint64_t per_producer[PRODUCERS];
	uint64_t fail_after; /* chunks; 0: never */
	unsigned slow_us;
	struct ct_writer *writer;
};

struct producer {
	struct bench *bench;
	uint32_t number;
	pthread_t thread;
};

/* A chunk says who made it, its number there, and repeats that to its end. */
static void fill(uint64_t *words, uint32_t count, uint64_t producer, uint64_t number)
{
	words[0] = CT_SEGMENT_WORD0(0, number, producer + 1);
	words[1] = CT_SEGMENT_WORD1(0, number);
	for (uint32_t i = 2; i < count; i++)
		words[i] = (uint64_t)CT_REC_UNIFORM << CT_RECORD_KIND_SHIFT | number;
}

static bool is_intact(const uint64_t *words, uint32_t bytes, uint64_t number)
{
	for (uint32_t i = 2; i < bytes / 8; i++)
		if (words[i] != ((uint64_t)CT_REC_UNIFORM << CT_RECORD_KIND_SHIFT | number))
			return false;
	return bytes % 8 == 0;
}

static int sink(void *user, uint64_t ticket, const void *records, uint32_t bytes)
{
	struct bench *bench = user;
	const uint64_t *words = records;
	uint32_t producer = (uint32_t)words[0] - 1;
	const struct timespec pause = {.tv_nsec = 1000l * bench->slow_us};

	bench->gaps += ticket - bench->expected_ticket;
	bench->expected_ticket = ticket + 1;
	if (!is_intact(words, bytes, words[1]) || producer >= PRODUCERS ||
	    words[1] != bench->per_producer[producer]++)
		bench->damaged++;
	bench->taken++;
	if (bench->slow_us)
		nanosleep(&pause, NULL);
	if (bench->writer)
		return ct_writer_records(bench->writer, 0, ticket, records, bytes);
	return bench->fail_after && bench->taken > bench->fail_after ? -ENOSPC : 0;
}

static void ship(struct bench *bench, uint64_t producer, uint64_t number)
{
	uint32_t mask = bench->consumer.ring_mask, words = 2 + (uint32_t)(number % 510);
	uint64_t ticket = __atomic_fetch_add(&bench->head, 1, __ATOMIC_RELAXED);

	while (ticket - __atomic_load_n(bench->progress, __ATOMIC_ACQUIRE) > mask)
		sched_yield();
	fill((uint64_t *)(bench->ring + (ticket & mask) * CT_CHUNK_BYTES), words, producer, number);
	__atomic_store_n(&bench->flags[ticket & mask], CT_FLAG(ticket, words * 8),
			 __ATOMIC_RELEASE);
}

static void *produce(void *argument)
{
	struct producer *producer = argument;

	for (uint64_t i = 0; i < CHUNKS_EACH; i++)
		ship(producer->bench, producer->number, i);
	return NULL;
}

static struct bench *open_bench(uint32_t chunks, uint64_t first_ticket)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	bench->ring = malloc((size_t)chunks * CT_CHUNK_BYTES);
	bench->flags = calloc(chunks, 8);
	bench->progress[0] = bench->head = bench->expected_ticket = first_ticket;
	bench->consumer = (struct ct_consumer){.ring = bench->ring,
					       .flags = bench->flags,
					       .progress = bench->progress,
					       .ring_mask = chunks - 1,
					       .sink = sink,
					       .user = bench,
					       .next = first_ticket};
	return bench;
}

static void close_bench(struct bench *bench)
{
	free(bench->ring);
	free(bench->flags);
	free(bench);
}

static void run_producers(struct bench *bench)
{
	struct producer producers[PRODUCERS];

	for (uint32_t i = 0; i < PRODUCERS; i++) {
		producers[i] = (struct producer){.bench = bench, .number = i};
		pthread_create(&producers[i].thread, NULL, produce, &producers[i]);
	}
	for (uint32_t i = 0; i < PRODUCERS; i++)
		pthread_join(producers[i].thread, NULL);
}

static void check_lossless(uint32_t chunks, uint64_t first_ticket)
{
	struct bench *bench = open_bench(chunks, first_ticket);

	cr_assert_eq(ct_consumer_start(&bench->consumer), 0);
	run_producers(bench);
	ct_consumer_wait(&bench->consumer, bench->head);
	ct_consumer_stop(&bench->consumer, false);
	cr_assert_eq(bench->taken, PRODUCERS * CHUNKS_EACH);
	cr_assert_eq(bench->gaps, 0);
	cr_assert_eq(bench->damaged, 0);
	cr_assert_eq(bench->consumer.lost, 0);
	close_bench(bench);
}

Test(hostrt_consumer, takes_every_chunk_in_ticket_order, .timeout = 60)
{
	check_lossless(1024, 0);
}

Test(hostrt_consumer, works_with_a_ring_of_two_chunks, .timeout = 60)
{
	check_lossless(2, 0);
}

/* After a device reset tickets go on where they were; the tag has 40 bits. */
Test(hostrt_consumer, tickets_may_begin_anywhere, .timeout = 60)
{
	check_lossless(64, (1ull << 40) - 1000);
}

Test(hostrt_consumer, refused_chunks_are_counted_and_producers_go_on, .timeout = 60)
{
	struct bench *bench = open_bench(16, 0);

	bench->fail_after = 100;
	cr_assert_eq(ct_consumer_start(&bench->consumer), 0);
	run_producers(bench);
	ct_consumer_wait(&bench->consumer, bench->head);
	ct_consumer_stop(&bench->consumer, false);
	cr_assert_eq(bench->taken, PRODUCERS * CHUNKS_EACH);
	cr_assert_eq(bench->consumer.lost, PRODUCERS * CHUNKS_EACH - 100);
	close_bench(bench);
}

Test(hostrt_consumer, dead_producers_cost_only_what_they_held, .timeout = 60)
{
	struct bench *bench = open_bench(64, 0);

	cr_assert_eq(ct_consumer_start(&bench->consumer), 0);
	for (uint64_t i = 0; i < 10; i++)
		ship(bench, 0, i);
	bench->head += 3; /* drawn, never shipped */
	for (uint64_t i = 10; i < 20; i++)
		ship(bench, 0, i);
	ct_consumer_wait(&bench->consumer, 10);
	ct_consumer_stop(&bench->consumer, true);
	cr_assert_eq(bench->taken, 20);
	cr_assert_eq(bench->gaps, 3);
	cr_assert_eq(bench->consumer.lost, 3);
	cr_assert_eq(bench->damaged, 0);
	cr_assert_eq(bench->consumer.next, 23);
	close_bench(bench);
}

Test(hostrt_consumer, a_length_past_the_chunk_is_damage, .timeout = 60)
{
	struct bench *bench = open_bench(8, 0);

	cr_assert_eq(ct_consumer_start(&bench->consumer), 0);
	__atomic_store_n(&bench->flags[0], CT_FLAG(0, CT_CHUNK_BYTES + 8), __ATOMIC_RELEASE);
	ct_consumer_wait(&bench->consumer, 1);
	ct_consumer_stop(&bench->consumer, false);
	cr_assert_eq(bench->taken, 0);
	cr_assert_eq(bench->consumer.lost, 1);
	close_bench(bench);
}

/* The writer refuses records past its limit, as it does on a full disk. */
Test(hostrt_consumer, a_full_trace_stops_no_producer, .timeout = 60)
{
	struct bench *bench = open_bench(16, 0);
	struct ct_writer_options options = {.limit_bytes = 64 << 10};
	char directory[] = "/tmp/ct-consumer-XXXXXX", why[256], command[300];

	cr_assert_not_null(mkdtemp(directory));
	cr_assert_eq(ct_writer_open(&bench->writer, directory, &options, why, sizeof(why)), 0, "%s",
		     why);
	cr_assert_eq(ct_consumer_start(&bench->consumer), 0);
	run_producers(bench);
	ct_consumer_wait(&bench->consumer, bench->head);
	ct_consumer_stop(&bench->consumer, false);
	cr_assert_eq(bench->taken, PRODUCERS * CHUNKS_EACH);
	cr_assert_gt(bench->consumer.lost, 0);
	cr_assert_eq(ct_writer_close(bench->writer), 0, "the limit is no error of the files");
	snprintf(command, sizeof(command), "rm -r %s", directory);
	cr_assert_eq(system(command), 0);
	close_bench(bench);
}
