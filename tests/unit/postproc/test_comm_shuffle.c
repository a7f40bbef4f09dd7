/* SPDX-License-Identifier: Apache-2.0 */
/* The shuffle on one rank: nothing lost, everything in order, whatever the memory. */
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
