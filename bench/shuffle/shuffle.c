/* SPDX-License-Identifier: Apache-2.0 */
/* Records per second into and out of the shuffle, beside memcpy and qsort of the same records. */
#include "postproc/shuffle/shuffle.h"
#include "postproc/shuffle/sums.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PARTITIONS 1024u

struct record {
	uint64_t key[2];
	uint64_t data[2];
};

struct bench {
	struct ct_shuffle *shuffle;
	uint64_t records; /* of each thread */
	_Atomic uint32_t next;
	_Atomic int err;
};

struct thread {
	struct bench *bench;
	uint32_t number;
	uint64_t out;
	uint64_t sum; /* so that records are read */
	pthread_t thread;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* An address of 1 GiB, a superstep, a CTA; the partition is the page of the address. */
static uint32_t make(uint64_t random, uint64_t number, struct record *record)
{
	uint64_t address = random >> 20 & 0x3ffffff0;

	record->key[0] = address;
	record->key[1] = number >> 10 & 0xffff;
	record->data[0] = random;
	record->data[1] = number;
	return (uint32_t)(address >> 12) % PARTITIONS;
}

static void *put(void *argument)
{
	struct thread *self = argument;
	uint64_t state = 88172645463325252ull + self->number;
	struct record record;
	int err = 0;

	for (uint64_t i = 0; err == 0 && i < self->bench->records; i++) {
		uint32_t partition = make(random_next(&state), i, &record);

		err = ct_shuffle_put(self->bench->shuffle, self->number, partition, &record);
	}
	if (err < 0)
		atomic_store(&self->bench->err, err);
	return NULL;
}

static int take(void *user, void *records, size_t count)
{
	struct thread *self = user;
	const struct record *record = records;

	for (size_t i = 0; i < count; i++)
		self->sum += record[i].key[0] ^ record[i].data[1];
	self->out += count;
	return 0;
}

static void *each(void *argument)
{
	struct thread *self = argument;
	uint32_t partition;
	int err = 0;

	while (err == 0 && (partition = atomic_fetch_add(&self->bench->next, 1)) < PARTITIONS)
		err = ct_shuffle_each(self->bench->shuffle, partition, take, self);
	if (err < 0)
		atomic_store(&self->bench->err, err);
	return NULL;
}

/* Seconds. */
static double in_threads(struct bench *bench, struct thread *thread, uint32_t threads,
			 void *(*what)(void *))
{
	double begin = now();

	for (uint32_t i = 0; i < threads; i++) {
		thread[i] = (struct thread){.bench = bench, .number = i};
		pthread_create(&thread[i].thread, NULL, what, &thread[i]);
	}
	for (uint32_t i = 0; i < threads; i++)
		pthread_join(thread[i].thread, NULL);
	return now() - begin;
}

static int compare(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->key[0] != y->key[0])
		return x->key[0] < y->key[0] ? -1 : 1;
	return x->key[1] < y->key[1] ? -1 : x->key[1] > y->key[1];
}

/* Times a copy and the library's sort of as many records as a partition has. */
static int bench_reference(uint64_t records)
{
	struct record *from = malloc(records * sizeof(*from)), *to = malloc(records * sizeof(*to));
	uint64_t state = 88172645463325252ull, few = records / PARTITIONS + 1;
	double begin, sort = 0;

	if (!from || !to)
		return -ENOMEM;
	begin = now();
	for (uint64_t i = 0; i < records; i++)
		make(random_next(&state), i, &from[i]);
	printf("%-28s %8.1f M records/s\n", "make", records / (now() - begin) * 1e-6);
	memset(to, 0, records * sizeof(*to));
	begin = now();
	memcpy(to, from, records * sizeof(*to));
	printf("%-28s %8.1f M records/s\n", "memcpy", records / (now() - begin) * 1e-6);
	begin = now();
	for (uint64_t at = 0; at + few <= records; at += few)
		qsort(to + at, few, sizeof(*to), compare);
	sort = now() - begin;
	printf("%-28s %8.1f M records/s\n", "qsort by partition", records / sort * 1e-6);
	free(from);
	free(to);
	return 0;
}

static int bench_shuffle(uint64_t records, uint32_t threads, size_t memory_mib,
			 const char *directory)
{
	struct bench bench = {.records = records / threads};
	struct thread thread[threads];
	struct ct_shuffle_options options = {.record_bytes = sizeof(struct record),
					     .partitions = PARTITIONS,
					     .writers = threads,
					     .readers = threads,
					     .memory_bytes = memory_mib << 20,
					     .key_mask = {UINT64_MAX, UINT64_MAX},
					     .directory = directory};
	char why[200] = "";
	double seconds;
	uint64_t out = 0;
	int err = ct_ranks_open(&options.ranks, why, sizeof(why));

	if (err < 0 || (err = ct_shuffle_open(&bench.shuffle, &options)) < 0)
		return err;
	records = bench.records * threads;
	seconds = in_threads(&bench, thread, threads, put);
	printf("%-28s %8.1f M records/s, %u threads\n", "put", records / seconds * 1e-6, threads);
	seconds = now();
	err = ct_shuffle_finish(bench.shuffle);
	printf("%-28s %8.3f s\n", "finish", now() - seconds);
	for (int pass = 0; err == 0 && pass < 2; pass++) {
		atomic_store(&bench.next, 0);
		seconds = in_threads(&bench, thread, threads, each);
		printf("%-28s %8.1f M records/s, %u threads\n", pass ? "each, again" : "each",
		       records / seconds * 1e-6, threads);
		err = atomic_load(&bench.err);
	}
	for (uint32_t i = 0; i < threads; i++)
		out += thread[i].out;
	printf("%-28s %8.1f MiB\n", "spilled", (double)ct_shuffle_spilled(bench.shuffle) / 0x1p20);
	if (err == 0 && options.ranks->size == 1 && out != records)
		err = -EBADMSG;
	ct_shuffle_close(bench.shuffle);
	ct_ranks_close(options.ranks);
	return err;
}

/* Additions per second to as many sums as given. */
static int bench_sums(uint64_t keys)
{
	uint64_t state = 88172645463325252ull, adds = 20000000;
	struct ct_sums *sums;
	size_t count = 0;
	double begin;
	int err = ct_sums_open(&sums);

	begin = now();
	for (uint64_t i = 0; err == 0 && i < adds; i++) {
		uint64_t key = random_next(&state) % keys;

		err = ct_sums_add(sums, key, key >> 3, 1, i);
	}
	printf("add to %9ju sums         %8.1f M/s", (uintmax_t)keys,
	       adds / (now() - begin) * 1e-6);
	begin = now();
	if (err == 0 && !ct_sums_sorted(sums, &count))
		err = -ENOMEM;
	printf(", sorted %8.1f M/s\n", count / (now() - begin) * 1e-6);
	ct_sums_close(sums);
	return err;
}

int main(int argc, char **argv)
{
	uint64_t records = (argc > 1 ? strtoull(argv[1], NULL, 10) : 32) * 1000000;
	uint32_t threads = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
	size_t memory = argc > 3 ? strtoul(argv[3], NULL, 10) : 2048;
	const char *directory = argc > 4 ? argv[4] : "/tmp";
	int err = 0;

	if (records == 0 || threads == 0) {
		fprintf(stderr, "usage: %s [MILLION-RECORDS [THREADS [MEMORY-MIB [DIRECTORY]]]]\n",
			argv[0]);
		return 2;
	}
	err = bench_reference(records);
	if (err == 0)
		err = bench_shuffle(records, threads, memory, directory);
	for (uint64_t keys = 100; err == 0 && keys <= 10000000; keys *= 100)
		err = bench_sums(keys);
	if (err < 0)
		fprintf(stderr, "shuffle: %s\n", strerror(-err));
	return err < 0;
}
