/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes of records pass per second from producers through ring, consumers and writer. */
#include "host-rt/drain/consumers.h"
#include "streams.h"
#include "trace/write/writer.h"
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PREPARED_BYTES (16u << 20)

struct bench {
	struct ct_consumers consumers;
	struct ct_writer *writer; /* NULL: what is taken is dropped */
	struct stream stream;
	uint64_t head, waits, chunks; /* atomic */
	uint64_t limit;               /* chunks */
};

static void die(const char *what)
{
	fprintf(stderr, "bench_ring: %s\n", what);
	exit(1);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *open_stream(void *user)
{
	struct bench *bench = user;
	struct ct_writer_stream *stream;

	if (!bench->writer)
		return bench;
	return ct_writer_stream_open(&stream, bench->writer, 0) < 0 ? NULL : stream;
}

static int take(void *stream, uint64_t ticket, const void *records, uint32_t bytes)
{
	return ct_writer_stream_records(stream, ticket, records, bytes);
}

static uint64_t write_stream(void *stream, uint32_t hurry)
{
	uint64_t before = ct_writer_stream_lost(stream);

	ct_writer_stream_hurry(stream, hurry);
	ct_writer_stream_flush(stream);
	return ct_writer_stream_lost(stream) - before;
}

static void close_stream(void *stream)
{
	ct_writer_stream_close(stream);
}

static int drop(void *user, uint64_t ticket, const void *records, uint32_t bytes)
{
	static _Thread_local char copy[CT_CHUNK_BYTES];

	(void)user;
	(void)ticket;
	memcpy(copy, records, bytes);
	__asm__ volatile("" ::"r"(copy) : "memory");
	return 0;
}

static uint64_t write_nothing(void *user, uint32_t hurry)
{
	(void)user;
	(void)hurry;
	return 0;
}

static void close_nothing(void *user)
{
	(void)user;
}

static const struct ct_consumer_sink files = {
    .open = open_stream, .take = take, .write = write_stream, .close = close_stream};
static const struct ct_consumer_sink nothing = {
    .open = open_stream, .take = drop, .write = write_nothing, .close = close_nothing};

static uint64_t lowest_progress(const struct bench *bench)
{
	uint64_t lowest = UINT64_MAX;

	for (uint32_t i = 0; i < bench->consumers.count; i++) {
		uint64_t next = __atomic_load_n(&bench->consumers.progress[i * CT_PROGRESS_STRIDE],
						__ATOMIC_ACQUIRE);

		lowest = next < lowest ? next : lowest;
	}
	return lowest;
}

static void wait_for_room(struct bench *bench, uint64_t ticket, uint64_t *tail)
{
	const struct timespec pause = {.tv_nsec = 5000};
	bool waits = false;

	while (ticket >= *tail + bench->consumers.ring_mask + 1) {
		*tail = lowest_progress(bench);
		if (ticket < *tail + bench->consumers.ring_mask + 1)
			break;
		if (!waits)
			__atomic_add_fetch(&bench->waits, 1, __ATOMIC_RELAXED);
		waits = true;
		nanosleep(&pause, NULL);
	}
}

/* Ships chunks of the made-up stream, again and again; each begins with a segment header. */
static void *produce(void *user)
{
	struct bench *bench = user;
	uint32_t mask = bench->consumers.ring_mask;
	uint64_t tail = 0, pieces = bench->stream.count / (CT_CHUNK_BYTES / 8);

	while (__atomic_add_fetch(&bench->chunks, 1, __ATOMIC_RELAXED) <= bench->limit) {
		uint64_t ticket = __atomic_fetch_add(&bench->head, 1, __ATOMIC_RELAXED);

		wait_for_room(bench, ticket, &tail);
		memcpy((char *)bench->consumers.ring + (ticket & mask) * CT_CHUNK_BYTES,
		       (const char *)bench->stream.words + ticket % pieces * CT_CHUNK_BYTES,
		       CT_CHUNK_BYTES);
		__atomic_store_n((uint64_t *)&bench->consumers.flags[ticket & mask],
				 CT_FLAG(ticket, CT_CHUNK_BYTES), __ATOMIC_RELEASE);
	}
	return NULL;
}

static void run(struct bench *bench, uint32_t producers)
{
	pthread_t threads[256];
	uint64_t bytes;
	double begin;

	if (ct_consumers_start(&bench->consumers) < 0)
		die("no threads");
	begin = now_s();
	for (uint32_t i = 0; i < producers; i++)
		pthread_create(&threads[i], NULL, produce, bench);
	for (uint32_t i = 0; i < producers; i++)
		pthread_join(threads[i], NULL);
	ct_consumers_wait(&bench->consumers, bench->head, UINT64_MAX);
	begin = now_s() - begin;
	ct_consumers_stop(&bench->consumers, false, 0);
	bytes = bench->head * CT_CHUNK_BYTES;
	printf("%.2f GB/s of records, %" PRIu64 " of %" PRIu64 " chunks waited, %" PRIu64 " lost",
	       1e-9 * (double)bytes / begin, bench->waits, bench->head, bench->consumers.lost);
	if (bench->writer)
		printf(", 1/%.1f of them on the disk",
		       (double)bytes / (double)ct_writer_bytes(bench->writer));
	printf("\n");
}

static void open_ring(struct bench *bench, uint32_t chunks, uint32_t consumers)
{
	struct ct_consumers *all = &bench->consumers;

	all->ring = aligned_alloc(4096, (size_t)chunks * CT_CHUNK_BYTES);
	all->flags = calloc(chunks, 8);
	all->progress = calloc(consumers, 8 * CT_PROGRESS_STRIDE);
	if (!all->ring || !all->flags || !all->progress)
		die("out of memory");
	memset((char *)all->ring, 0, (size_t)chunks * CT_CHUNK_BYTES);
	all->ring_mask = chunks - 1;
	all->count = consumers;
	all->sink = bench->writer ? &files : &nothing;
	all->user = bench;
}

static const struct stream_shape *find_shape(const char *name)
{
	for (size_t i = 0; i < stream_shape_count; i++)
		if (strcmp(name, stream_shapes[i].name) == 0)
			return &stream_shapes[i];
	die("-s: no such shape");
	return NULL;
}

static int usage(void)
{
	fprintf(stderr, "usage: bench_ring [-p PRODUCERS] [-c CONSUMERS] [-r RING-CHUNKS] [-g GB]\n"
			"                  [-s SHAPE] [-k CODEC+1] [DIRECTORY]\n"
			"without a directory chunks are taken and dropped\n");
	return 2;
}

int main(int argc, char **argv)
{
	struct ct_writer_options options = {.level = 1};
	uint32_t producers = 2, consumers = 1, chunks = 16384;
	const char *shape = "stream";
	struct bench *bench = calloc(1, sizeof(*bench));
	double gb = 4;
	char why[300];

	for (int option; (option = getopt(argc, argv, "p:c:r:g:s:k:")) != -1;)
		switch (option) {
		case 'p':
			producers = (uint32_t)atoi(optarg);
			break;
		case 'c':
			consumers = (uint32_t)atoi(optarg);
			break;
		case 'r':
			chunks = (uint32_t)atoi(optarg);
			break;
		case 'g':
			gb = atof(optarg);
			break;
		case 's':
			shape = optarg;
			break;
		case 'k':
			options.fixed_codec = (uint32_t)atoi(optarg);
			break;
		default:
			return usage();
		}
	if (!bench || producers < 1 || producers > 256 || consumers < 1 ||
	    consumers > CT_CONSUMERS_MAX || chunks < 2 || (chunks & (chunks - 1)))
		return usage();
	if (optind < argc &&
	    ct_writer_open(&bench->writer, argv[optind], &options, why, sizeof(why)) < 0)
		die(why);
	bench->stream = stream_make(find_shape(shape), PREPARED_BYTES, true);
	bench->limit = (uint64_t)(gb * 1e9 / CT_CHUNK_BYTES);
	open_ring(bench, chunks, consumers);
	run(bench, producers);
	return ct_writer_close(bench->writer) < 0;
}
