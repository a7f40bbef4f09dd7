/* SPDX-License-Identifier: Apache-2.0 */
/* The shuffle on one rank: nothing lost, everything in order, whatever the memory. */
#include "postproc/shuffle/state.h"
#include "tests/unit/postproc/comm_records.h"

#include <criterion/criterion.h>

#define MIB ((size_t)1 << 20)

static uint64_t run(const struct comm_case *of)
{
	struct ct_ranks *ranks;
	char why[200] = "";
	uint64_t spilled = 0;
	int err;

	cr_assert_eq(ct_ranks_open(&ranks, why, sizeof(why)), 0, "%s", why);
	err = comm_case_run(of, ranks, &spilled, why, sizeof(why));
	cr_assert_eq(err, 0, "%d %s", err, why);
	ct_ranks_close(ranks);
	return spilled;
}

Test(shuffle, hands_out_each_record_once_and_in_order)
{
	for (enum comm_keys keys = COMM_KEYS_RANDOM; keys <= COMM_KEYS_ONE; keys++)
		for (size_t bytes = 16; bytes <= 128; bytes += 8)
			cr_assert_eq(run(&(struct comm_case){.record_bytes = bytes,
							     .partitions = 16,
							     .writers = 2,
							     .readers = 1,
							     .memory_bytes = 64 * MIB,
							     .records = 50000,
							     .keys = keys}),
				     0);
}

Test(shuffle, hands_out_each_record_once_when_most_are_in_the_file)
{
	for (enum comm_keys keys = COMM_KEYS_RANDOM; keys <= COMM_KEYS_ONE; keys++)
		cr_assert_gt(run(&(struct comm_case){.record_bytes = 32,
						     .partitions = 64,
						     .writers = 3,
						     .readers = 2,
						     .memory_bytes = 4 * MIB,
						     .records = 300000,
						     .keys = keys}),
			     20 * MIB);
}

Test(shuffle, merges_a_partition_that_is_larger_than_the_memory)
{
	for (enum comm_keys keys = COMM_KEYS_RANDOM; keys <= COMM_KEYS_ONE; keys++)
		cr_assert_gt(run(&(struct comm_case){.record_bytes = 40,
						     .partitions = 100,
						     .used_partitions = 1,
						     .writers = 2,
						     .readers = 2,
						     .memory_bytes = 2 * MIB,
						     .records = 500000,
						     .keys = keys}),
			     70 * MIB);
}

Test(shuffle, samples_all_of_a_partition_that_is_in_memory)
{
	const uint64_t records = 100000;
	const struct ct_shuffle_options options = {.record_bytes = 16,
						   .partitions = 4,
						   .writers = 1,
						   .readers = 1,
						   .memory_bytes = 8 * MIB,
						   .directory = "/tmp",
						   .ranks = ct_ranks_alone()};
	uint64_t sample[300][2];
	struct ct_shuffle *shuffle;
	size_t count;

	cr_assert_eq(ct_shuffle_open(&shuffle, &options), 0);
	for (uint64_t i = 0; i < records; i++)
		cr_assert_eq(ct_shuffle_put(shuffle, 0, 1, (uint64_t[2]){i, ~i}), 0);
	cr_assert_eq(ct_shuffle_put(shuffle, 0, 2, (uint64_t[2]){7, 8}), 0);
	cr_assert_eq(ct_shuffle_finish(shuffle), 0);
	cr_assert_eq(ct_shuffle_sample(shuffle, 0, sample, 300), 0);
	cr_assert_eq(ct_shuffle_sample(shuffle, 2, sample, 300), 1);
	cr_assert_eq(sample[0][1], 8);
	count = ct_shuffle_sample(shuffle, 1, sample, 300);
	cr_assert(count > 250 && count <= 300, "%zu", count);
	for (size_t i = 0; i < count; i++) {
		cr_assert_eq(sample[i][1], ~sample[i][0]);
		/* One writer's records stand in their order. */
		cr_assert(i == 0 || (sample[i][0] > sample[i - 1][0] &&
				     sample[i][0] < sample[i - 1][0] + 1000));
	}
	cr_assert_gt(sample[count - 1][0], records - 1000);
	ct_shuffle_close(shuffle);
}

struct sum {
	uint64_t records, keys;
};

static int add(void *user, void *records, size_t count)
{
	const uint64_t(*record)[2] = records;
	struct sum *sum = user;

	for (size_t i = 0; i < count; i++)
		sum->keys += record[i][0];
	sum->records += count;
	return 0;
}

/* As another thread would: what is put meanwhile waits, of another partition it does not. */
Test(shuffle, records_wait_while_another_thread_is_at_their_partition, .timeout = 60)
{
	enum { HELD = 500, RECORDS = 5000 };
	struct ct_shuffle_options options = {.record_bytes = 16,
					     .partitions = 4,
					     .writers = 2,
					     .readers = 1,
					     .memory_bytes = 8 * MIB,
					     .key_mask = {UINT64_MAX, UINT64_MAX},
					     .ranks = ct_ranks_alone()};
	struct ct_shuffle *shuffle;
	pthread_mutex_t *lock;
	struct sum sum = {0};

	cr_assert_eq(ct_shuffle_open(&shuffle, &options), 0);
	lock = &shuffle->state->partition[1].lock;
	pthread_mutex_lock(lock);
	for (uint64_t i = 1; i <= RECORDS; i++) {
		if (i == HELD)
			pthread_mutex_unlock(lock);
		for (uint32_t p = 1; p <= 2; p++)
			cr_assert_eq(ct_shuffle_put(shuffle, 0, p, (uint64_t[2]){i, p}), 0);
		if (i == HELD - 1)
			cr_expect(shuffle->writer->waiting_bytes > 0 &&
				      shuffle->writer->waiting_for == 1,
				  "none waits");
	}
	cr_assert_eq(ct_shuffle_finish(shuffle), 0);
	for (uint32_t p = 0; p < options.partitions; p++)
		cr_assert_eq(ct_shuffle_each(shuffle, p, add, &sum), 0);
	cr_expect_eq(sum.records, 2 * RECORDS);
	cr_expect_eq(sum.keys, (uint64_t)RECORDS * (RECORDS + 1));
	ct_shuffle_close(shuffle);
}
