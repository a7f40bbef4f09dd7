/* SPDX-License-Identifier: Apache-2.0 */
/* A ring, its consumers, and threads as producers. */
#include "tests/unit/host-rt/ring_bench.h"
#include "trace/write/writer.h"
#include <cudatrace/record.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

struct bench_stream {
	struct bench *bench;
	struct ct_writer_stream *file;
	uint64_t next;    /* the lowest ticket that may come */
	uint64_t pending; /* chunks taken and not written */
};

struct producer {
	struct bench *bench;
	uint32_t number;
	pthread_t thread;
};

static uint64_t add(uint64_t *counter, uint64_t count)
{
	return __atomic_add_fetch(counter, count, __ATOMIC_RELAXED);
}

/* A chunk says who made it, its number there, and repeats that to its end. */
static void fill(uint64_t *words, uint32_t count, uint64_t producer, uint64_t number)
{
	words[0] = CT_SEGMENT_WORD0(0, number, producer + 1);
	words[1] = CT_SEGMENT_WORD1(0, number);
	for (uint32_t i = 2; i < count; i++)
		words[i] = (uint64_t)CT_REC_UNIFORM << CT_RECORD_KIND_SHIFT | number;
}

static bool is_intact(const uint64_t *words, uint32_t bytes)
{
	uint64_t number = words[1];

	if (bytes != 8 * (2 + (uint32_t)(number % 510)) || (uint32_t)words[0] > BENCH_PRODUCERS)
		return false;
	for (uint32_t i = 2; i < bytes / 8; i++)
		if (words[i] != ((uint64_t)CT_REC_UNIFORM << CT_RECORD_KIND_SHIFT | number))
			return false;
	return true;
}

static void *open_stream(void *user)
{
	struct bench_stream *stream = calloc(1, sizeof(*stream));

	stream->bench = user;
	if (stream->bench->writer &&
	    ct_writer_stream_open(&stream->file, stream->bench->writer, 0) < 0)
		abort();
	return stream;
}

static int take(void *user, uint64_t ticket, const void *records, uint32_t bytes)
{
	struct bench_stream *stream = user;
	struct bench *bench = stream->bench;
	const struct timespec pause = {.tv_nsec = 1000l * bench->slow_us};
	uint64_t taken = add(&bench->taken, 1);

	if (ticket < stream->next || bench->seen[ticket - bench->first_ticket]++)
		add(&bench->disordered, 1);
	stream->next = ticket + 1;
	if (!is_intact(records, bytes))
		add(&bench->damaged, 1);
	if (bench->slow_us)
		nanosleep(&pause, NULL);
	if (bench->fail_after && taken > bench->fail_after)
		return -ENOSPC;
	if (stream->file) {
		int err = ct_writer_stream_records(stream->file, ticket, records, bytes);

		if (err < 0)
			return err;
	}
	stream->pending++;
	return 0;
}

static uint64_t write_stream(void *user, uint32_t hurry)
{
	struct bench_stream *stream = user;
	struct bench *bench = stream->bench;
	uint64_t pending = stream->pending, before;

	stream->pending = 0;
	if (bench->lose_writes && add(&bench->writes, 1) % bench->lose_writes == 0) {
		add(&bench->lost_in_writes, pending);
		return pending;
	}
	add(&bench->written, pending);
	if (!stream->file)
		return 0;
	before = ct_writer_stream_lost(stream->file);
	ct_writer_stream_hurry(stream->file, hurry);
	ct_writer_stream_flush(stream->file);
	return ct_writer_stream_lost(stream->file) - before;
}

static void close_stream(void *user)
{
	struct bench_stream *stream = user;

	ct_writer_stream_close(stream->file);
	free(stream);
}

static const struct ct_consumer_sink sink = {
    .open = open_stream, .take = take, .write = write_stream, .close = close_stream};

static uint64_t lowest_progress(const struct bench *bench)
{
	uint64_t lowest = UINT64_MAX;

	for (uint32_t i = 0; i < bench->consumers.count; i++) {
		uint64_t next =
		    __atomic_load_n(&bench->progress[i * CT_PROGRESS_STRIDE], __ATOMIC_ACQUIRE);

		lowest = next < lowest ? next : lowest;
	}
	return lowest;
}

void bench_ship(struct bench *bench, uint64_t producer, uint64_t number)
{
	uint32_t mask = bench->consumers.ring_mask, words = 2 + (uint32_t)(number % 510);
	uint64_t ticket = __atomic_fetch_add(&bench->head, 1, __ATOMIC_RELAXED), lowest;

	while (lowest = lowest_progress(bench), ticket >= lowest && ticket - lowest > mask)
		sched_yield();
	fill((uint64_t *)(bench->ring + (ticket & mask) * CT_CHUNK_BYTES), words, producer, number);
	__atomic_store_n(&bench->flags[ticket & mask], CT_FLAG(ticket, words * 8),
			 __ATOMIC_RELEASE);
}

static void *produce(void *argument)
{
	struct producer *producer = argument;

	for (uint64_t i = 0; i < producer->bench->chunks_each; i++)
		bench_ship(producer->bench, producer->number, i);
	return NULL;
}

struct bench *bench_open(uint32_t ring_chunks, uint32_t consumers, uint64_t first_ticket,
			 uint64_t chunks_each)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	bench->ring = malloc((size_t)ring_chunks * CT_CHUNK_BYTES);
	bench->flags = calloc(ring_chunks, 8);
	bench->progress = calloc(consumers, 8 * CT_PROGRESS_STRIDE);
	bench->seen = calloc(BENCH_PRODUCERS * chunks_each + 64, 1);
	bench->chunks_each = chunks_each;
	bench->head = bench->first_ticket = first_ticket;
	bench->consumers = (struct ct_consumers){.ring = bench->ring,
						 .flags = bench->flags,
						 .progress = bench->progress,
						 .ring_mask = ring_chunks - 1,
						 .count = consumers,
						 .sink = &sink,
						 .user = bench,
						 .next = first_ticket};
	return bench;
}

void bench_close(struct bench *bench)
{
	free(bench->ring);
	free(bench->flags);
	free(bench->progress);
	free(bench->seen);
	free(bench);
}

void bench_produce(struct bench *bench)
{
	struct producer producers[BENCH_PRODUCERS];

	for (uint32_t i = 0; i < BENCH_PRODUCERS; i++) {
		producers[i] = (struct producer){.bench = bench, .number = i};
		pthread_create(&producers[i].thread, NULL, produce, &producers[i]);
	}
	for (uint32_t i = 0; i < BENCH_PRODUCERS; i++)
		pthread_join(producers[i].thread, NULL);
}

bool bench_run(struct bench *bench)
{
	bool is_whole;

	if (ct_consumers_start(&bench->consumers) < 0)
		return false;
	bench_produce(bench);
	is_whole = ct_consumers_wait(&bench->consumers, bench->head, 20000000000ull);
	ct_consumers_stop(&bench->consumers, false, 0);
	return is_whole;
}

bool bench_is_lossless(const struct bench *bench)
{
	uint64_t chunks = BENCH_PRODUCERS * bench->chunks_each;

	for (uint64_t i = 0; i < chunks; i++)
		if (bench->seen[i] != 1)
			return false;
	return bench->taken == chunks && bench->written == chunks && bench->damaged == 0 &&
	       bench->disordered == 0 && bench->consumers.lost == 0 &&
	       bench->consumers.next == bench->head;
}
