/* SPDX-License-Identifier: Apache-2.0 */
/* Records through a shuffle, and proof that each came out once, in order, at its owner. */
#include "tests/unit/postproc/comm_records.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct run {
	const struct comm_case *of;
	struct ct_ranks *ranks;
	struct ct_shuffle *shuffle;
	_Atomic uint64_t *seen; /* a bit per id */
	_Atomic uint32_t next_partition;
	_Atomic uint64_t out;
	_Atomic int err;
	const char *_Atomic wrong;
	bool again; /* reading for the second time: bits go back to 0 */
};

struct thread {
	struct run *run;
	uint32_t number;
	pthread_t thread;
	/* while reading */
	uint32_t partition;
	bool has_last;
	uint64_t last[2];
};

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

static void make_key(const struct comm_case *of, uint64_t id, uint64_t key[2])
{
	uint64_t random = mix(id + 1);

	switch (of->keys) {
	case COMM_KEYS_RANDOM:
		key[0] = random;
		key[1] = mix(random + 1);
		break;
	case COMM_KEYS_ADDRESSES:
		key[0] = 0x7f0000000000 | (random & 0x3ffffff0);
		key[1] = (random >> 40 & 0xfff) << 44 | (id & 0xffff) << 3 | (random >> 60 & 1);
		break;
	case COMM_KEYS_FEW:
		key[0] = random % 7 == 0;
		key[1] = random % 7 << 50;
		break;
	case COMM_KEYS_ASCENDING:
		key[0] = id >> 4;
		key[1] = id & 15;
		break;
	case COMM_KEYS_WIDE:
		key[0] = mix(random % 5);
		key[1] = (mix(random % 1000) & ~(uint64_t)0xff) | random >> 56;
		break;
	case COMM_KEYS_ONE:
		key[0] = key[1] = 42;
		break;
	}
}

static uint32_t partition_of(const struct comm_case *of, uint64_t id)
{
	uint32_t used = of->used_partitions ? of->used_partitions : of->partitions;

	return (uint32_t)(mix(id ^ 0x5bd1e995) % used) * (of->partitions / used);
}

/* Key, filler that follows from the id, id. With 16 bytes the id is in the key. */
static void make_record(const struct comm_case *of, uint64_t id, uint64_t *record)
{
	size_t words = of->record_bytes / 8;

	make_key(of, id, record);
	for (size_t i = 2; i + 1 < words; i++)
		record[i] = mix(id + i);
	record[words - 1] = id;
}

static uint64_t ids_of_rank(const struct comm_case *of)
{
	return of->records * of->writers;
}

static void set_wrong(struct run *run, const char *what)
{
	atomic_store(&run->wrong, what);
}

static void *put_all(void *argument)
{
	struct thread *self = argument;
	struct run *run = self->run;
	uint64_t id = run->ranks->rank * ids_of_rank(run->of) + self->number * run->of->records;
	uint64_t record[20];
	int err = 0;

	for (uint64_t i = 0; err == 0 && i < run->of->records; i++, id++) {
		make_record(run->of, id, record);
		err = ct_shuffle_put(run->shuffle, self->number, partition_of(run->of, id), record);
	}
	if (err != 0)
		atomic_store(&run->err, err);
	return NULL;
}

static int check_batch(void *user, void *records, size_t count)
{
	struct thread *self = user;
	struct run *run = self->run;
	const struct comm_case *of = run->of;
	size_t words = of->record_bytes / 8;
	uint64_t ids = ids_of_rank(of) * run->ranks->size;
	bool masked = of->key_mask[0] | of->key_mask[1];

	if (count == 0)
		set_wrong(run, "an empty batch");
	for (uint64_t *record = records; count > 0; record += words, count--) {
		uint64_t id = record[words - 1], expected[20];
		uint64_t key[2] = {record[0] & (masked ? of->key_mask[0] : UINT64_MAX),
				   record[1] & (masked ? of->key_mask[1] : UINT64_MAX)};

		if (id >= ids) {
			set_wrong(run, "a record that was not put");
			return -EBADMSG;
		}
		make_record(of, id, expected);
		if (memcmp(record, expected, of->record_bytes) != 0)
			set_wrong(run, "a record that changed");
		if (partition_of(of, id) != self->partition)
			set_wrong(run, "a record in another partition");
		if ((atomic_fetch_xor(&run->seen[id / 64], (uint64_t)1 << id % 64) >> id % 64 &
		     1) != run->again)
			set_wrong(run, "a record twice");
		if (self->has_last &&
		    (self->last[0] > key[0] || (self->last[0] == key[0] && self->last[1] > key[1])))
			set_wrong(run, "records out of order");
		self->last[0] = key[0];
		self->last[1] = key[1];
		self->has_last = true;
		atomic_fetch_add_explicit(&run->out, 1, memory_order_relaxed);
		memset(record, 0xee, of->record_bytes); /* allowed */
	}
	return 0;
}

/* Records by the low bit of their numbers. */
struct half {
	size_t words;
	uint64_t bit;
};

static bool is_in_half(const void *user, const void *record)
{
	const struct half *half = user;
	const uint64_t *word = record;

	return word[half->words - 1] % 2 == half->bit;
}

/* All at once, or one half after the other. */
static int read_partition(struct thread *self)
{
	struct run *run = self->run;
	struct half half = {.words = run->of->record_bytes / 8};
	const struct ct_shuffle_choice choice = {is_in_half, &half};
	int err = 0;

	self->has_last = false;
	if (!run->again)
		return ct_shuffle_each(run->shuffle, self->partition, check_batch, self);
	for (; half.bit < 2 && err == 0; half.bit++) {
		self->has_last = false;
		err = ct_shuffle_each_of(run->shuffle, self->partition, &choice, check_batch, self);
	}
	return err;
}

static void *read_all(void *argument)
{
	struct thread *self = argument;
	struct run *run = self->run;
	int err = 0;

	while (err == 0 && (self->partition = atomic_fetch_add(&run->next_partition, 1)) <
			       run->of->partitions) {
		uint64_t before = atomic_load(&run->out);

		err = read_partition(self);
		if (run->of->readers == 1 && err == 0 &&
		    (atomic_load(&run->out) - before) * run->of->record_bytes !=
			ct_shuffle_bytes(run->shuffle, self->partition))
			set_wrong(run, "a partition of another size than it says");
		if (!ct_shuffle_is_mine(run->shuffle, self->partition) &&
		    ct_shuffle_bytes(run->shuffle, self->partition) > 0)
			set_wrong(run, "a partition that is another rank's");
	}
	if (err != 0)
		atomic_store(&run->err, err);
	return NULL;
}

static int in_threads(struct run *run, uint32_t count, void *(*what)(void *))
{
	struct thread thread[count];

	for (uint32_t i = 0; i < count; i++) {
		thread[i] = (struct thread){.run = run, .number = i};
		pthread_create(&thread[i].thread, NULL, what, &thread[i]);
	}
	for (uint32_t i = 0; i < count; i++)
		pthread_join(thread[i].thread, NULL);
	return atomic_load(&run->err);
}

/* Every record of this rank's partitions has its bit set as wanted. */
static void check_seen(struct run *run, bool wanted)
{
	uint64_t ids = ids_of_rank(run->of) * run->ranks->size, mine = 0;

	for (uint64_t id = 0; id < ids; id++) {
		bool seen = atomic_load(&run->seen[id / 64]) >> id % 64 & 1;
		bool is_mine = ct_shuffle_is_mine(run->shuffle, partition_of(run->of, id));

		mine += is_mine;
		if (seen != (is_mine && wanted))
			set_wrong(run, "a record that is missing, or came to two ranks");
	}
	if (atomic_load(&run->out) != mine)
		set_wrong(run, "another number of records than were put");
}

/* Twice with the same result, then dropped. */
static int read_twice(struct run *run)
{
	int err;

	for (int pass = 0; pass < 2; pass++) {
		run->again = pass == 1;
		atomic_store(&run->next_partition, 0);
		atomic_store(&run->out, 0);
		err = in_threads(run, run->of->readers, read_all);
		if (err != 0)
			return err;
		check_seen(run, pass == 0);
	}
	for (uint32_t i = 0; i < run->of->partitions; i++) {
		struct thread none = {.run = run, .partition = i};

		ct_shuffle_drop(run->shuffle, i);
		atomic_store(&run->out, 0);
		err = ct_shuffle_each(run->shuffle, i, check_batch, &none);
		if (err != 0 || atomic_load(&run->out) != 0 ||
		    ct_shuffle_bytes(run->shuffle, i) != 0)
			set_wrong(run, "records in a partition that was dropped");
	}
	return 0;
}

static int run_case(struct run *run)
{
	const struct comm_case *of = run->of;
	int err = in_threads(run, of->writers, put_all);
	int finished = ct_shuffle_finish(run->shuffle);

	if (err != 0 && finished == 0)
		set_wrong(run, "finished although a put failed");
	if (err != 0 || finished != 0)
		return err != 0 ? err : finished;
	return read_twice(run);
}

int comm_case_run(const struct comm_case *of, struct ct_ranks *ranks, uint64_t *spilled, char *why,
		  size_t why_bytes)
{
	struct ct_shuffle_options options = {.record_bytes = of->record_bytes,
					     .partitions = of->partitions,
					     .writers = of->writers,
					     .readers = of->readers,
					     .memory_bytes = of->memory_bytes,
					     .key_mask = {of->key_mask[0], of->key_mask[1]},
					     .directory = of->directory ? of->directory : "/tmp",
					     .ranks = ranks};
	struct run run = {.of = of, .ranks = ranks};
	uint64_t ids = ids_of_rank(of) * ranks->size;
	int err;

	if (!(of->key_mask[0] | of->key_mask[1]))
		options.key_mask[0] = options.key_mask[1] = UINT64_MAX;
	run.seen = calloc(ids / 64 + 1, sizeof(*run.seen));
	if (!run.seen)
		return -ENOMEM;
	err = ct_shuffle_open(&run.shuffle, &options);
	if (err == 0) {
		err = run_case(&run);
		if (spilled)
			*spilled = ct_shuffle_spilled(run.shuffle);
	}
	if (run.wrong) {
		snprintf(why, why_bytes, "%s", run.wrong);
		err = -EBADMSG;
	}
	ct_shuffle_close(run.shuffle);
	free(run.seen);
	return err;
}
