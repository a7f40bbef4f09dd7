/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several ranks: run alone, or under mpirun with their number as argument. A
 * plain program: Criterion runs under neither mpirun nor ThreadSanitizer.
 */
#include "tests/unit/postproc/comm_records.h"

#include "postproc/shuffle/sums.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define MIB ((size_t)1 << 20)

static int failures;

static void expect(const struct ct_ranks *ranks, bool is_true, const char *what)
{
	if (is_true)
		return;
	failures++;
	fprintf(stderr, "comm_ranks: rank %u of %u: %s\n", ranks->rank, ranks->size, what);
}

static void shuffle(struct ct_ranks *ranks, const char *name, struct comm_case of)
{
	char why[200] = "", line[400];
	int err;

	of.writers = 4;
	of.readers = 3;
	err = comm_case_run(&of, ranks, NULL, why, sizeof(why));
	snprintf(line, sizeof(line), "shuffle %s: error %d %s", name, err, why);
	expect(ranks, err == 0, line);
}

static void shuffle_all(struct ct_ranks *ranks)
{
	shuffle(ranks, "in memory",
		(struct comm_case){.record_bytes = 32,
				   .partitions = 61,
				   .memory_bytes = 64 * MIB,
				   .records = 50000,
				   .keys = COMM_KEYS_ADDRESSES});
	shuffle(ranks, "through the file",
		(struct comm_case){.record_bytes = 48,
				   .partitions = 64,
				   .memory_bytes = 3 * MIB,
				   .records = 100000,
				   .keys = COMM_KEYS_RANDOM});
	shuffle(ranks, "of one huge partition",
		(struct comm_case){.record_bytes = 32,
				   .partitions = 64,
				   .used_partitions = 1,
				   .memory_bytes = 2 * MIB,
				   .records = 150000,
				   .keys = COMM_KEYS_FEW});
	shuffle(ranks, "of no records",
		(struct comm_case){.record_bytes = 32,
				   .partitions = 3,
				   .memory_bytes = 2 * MIB,
				   .keys = COMM_KEYS_RANDOM});
}

/* Only rank 0 has nowhere to spill: all get its error, and nothing waits. */
static void fail_on_one(struct ct_ranks *ranks)
{
	const struct comm_case of = {.record_bytes = 32,
				     .partitions = 16,
				     .writers = 2,
				     .readers = 1,
				     .memory_bytes = 2 * MIB,
				     .records = 100000,
				     .keys = COMM_KEYS_RANDOM,
				     .directory = ranks->rank == 0 ? "/tmp/ct-is/not/there" : NULL};
	char why[200] = "";

	expect(ranks, comm_case_run(&of, ranks, NULL, why, sizeof(why)) == -ENOENT,
	       "one rank's error is everybody's");
}

/* Rank r sends rank i a text of (r + 1) * (i + 1) * 9 MiB / size^2 bytes of r: some in parts. */
static size_t text_bytes(const struct ct_ranks *ranks, uint32_t from, uint32_t to)
{
	return (from + 1) * (to + 1) * 33 * MIB / (ranks->size * ranks->size) + 3;
}

struct arrivals {
	struct ct_ranks *ranks;
	uint32_t next;
	int err;
};

static int take_text(void *user, uint32_t from, const void *data, size_t bytes)
{
	struct arrivals *arrivals = user;
	const unsigned char *at = data;
	struct ct_ranks *ranks = arrivals->ranks;
	size_t same = 0;

	expect(ranks, from == arrivals->next++, "trade hands out in the order of ranks");
	expect(ranks, bytes == text_bytes(ranks, from, ranks->rank), "trade keeps the size");
	while (same < bytes && at[same] == (unsigned char)(from + 1))
		same++;
	expect(ranks, same == bytes, "trade keeps the bytes");
	return arrivals->err;
}

static void trade(struct ct_ranks *ranks, int err)
{
	const void *data[ranks->size];
	size_t bytes[ranks->size];
	size_t most = text_bytes(ranks, ranks->rank, ranks->size - 1);
	unsigned char *text = malloc(most);
	struct arrivals arrivals = {.ranks = ranks, .err = ranks->rank == 0 ? err : 0};

	if (!text)
		abort();
	memset(text, (int)ranks->rank + 1, most);
	for (uint32_t i = 0; i < ranks->size; i++) {
		data[i] = text;
		bytes[i] = text_bytes(ranks, ranks->rank, i);
	}
	expect(ranks, ranks->trade(ranks, data, bytes, take_text, &arrivals) == err,
	       "trade returns take's error on all ranks");
	free(text);
}

static void agree(struct ct_ranks *ranks)
{
	uint32_t last = ranks->size - 1;

	expect(ranks, ranks->greatest(ranks, 10 + ranks->rank) == 10 + last, "greatest");
	expect(ranks, ranks->greatest(ranks, UINT64_MAX - ranks->rank) == UINT64_MAX,
	       "greatest of all 64 bits");
	expect(ranks, ct_ranks_agree(ranks, 0) == 0, "agree that all is well");
	expect(ranks, ct_ranks_agree(ranks, ranks->rank == last ? -ENOSPC : 0) == -ENOSPC,
	       "agree on one rank's error");
}

#define KEYS 100000u

static void gather_sums(struct ct_ranks *ranks)
{
	struct ct_sums *sums;
	const struct ct_sum *sum;
	size_t count = 0, expected = ranks->rank == 0 ? KEYS + ranks->size : 0;
	uint64_t of_ranks = (uint64_t)ranks->size * (ranks->size + 1) / 2;

	if (ct_sums_open(&sums) < 0)
		abort();
	for (uint64_t key = 0; key < KEYS; key++)
		if (ct_sums_add(sums, key / 10, key % 10, ranks->rank + 1, key) < 0)
			abort();
	if (ct_sums_add(sums, UINT64_MAX, ranks->rank, 1, 2) < 0)
		abort();
	expect(ranks, ct_sums_gather(sums, ranks) == 0, "gather sums");
	sum = ct_sums_sorted(sums, &count);
	expect(ranks, sum && count == expected, "rank 0 has the keys of all, the others none");
	for (uint64_t key = 0; key < KEYS && key < count; key++)
		expect(ranks,
		       sum[key].key[0] == key / 10 && sum[key].key[1] == key % 10 &&
			   sum[key].value[0] == of_ranks && sum[key].value[1] == key * ranks->size,
		       "sums over all ranks");
	ct_sums_close(sums);
}

int main(int argc, char **argv)
{
	struct ct_ranks *ranks;
	char why[300] = "";

	if (ct_ranks_open(&ranks, why, sizeof(why)) < 0) {
		fprintf(stderr, "comm_ranks: %s\n", why);
		return 1;
	}
	expect(ranks, argc < 2 || ranks->size == strtoul(argv[1], NULL, 10),
	       "as many ranks as were started");
	agree(ranks);
	trade(ranks, 0);
	trade(ranks, -ENOSPC);
	shuffle_all(ranks);
	fail_on_one(ranks);
	gather_sums(ranks);
	failures = (int)ranks->greatest(ranks, (uint64_t)failures);
	if (ranks->rank == 0 && failures == 0)
		printf("ranks: %u\n", ranks->size);
	ct_ranks_close(ranks);
	return failures > 0;
}
