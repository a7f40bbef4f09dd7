/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by key. */
#include "postproc/shuffle/sums.h"
#include <criterion/criterion.h>

static struct ct_sums *open_sums(void)
{
	struct ct_sums *sums;

	cr_assert_eq(ct_sums_open(&sums), 0);
	return sums;
}

static void add(struct ct_sums *sums, uint64_t key0, uint64_t key1, uint64_t value0,
		uint64_t value1)
{
	cr_assert_eq(ct_sums_add(sums, key0, key1, value0, value1), 0);
}

Test(sums, begin_empty)
{
	struct ct_sums *sums = open_sums();
	size_t count = 1;

	cr_assert_null(ct_sums_find(sums, 0, 0));
	cr_assert_not_null(ct_sums_sorted(sums, &count));
	cr_assert_eq(count, 0);
	ct_sums_close(sums);
	ct_sums_close(NULL);
}

Test(sums, add_up_by_both_words_of_the_key)
{
	struct ct_sums *sums = open_sums();

	add(sums, 0, 0, 1, UINT64_MAX);
	add(sums, 0, 1, 0, 0);
	add(sums, 1, 0, 5, 6);
	add(sums, 0, 0, 2, 3);
	cr_assert_eq(ct_sums_find(sums, 0, 0)->value[0], 3);
	cr_assert_eq(ct_sums_find(sums, 0, 0)->value[1], 2, "modulo 2^64");
	cr_assert_eq(ct_sums_find(sums, 0, 1)->value[0], 0);
	cr_assert_eq(ct_sums_find(sums, 1, 0)->value[1], 6);
	cr_assert_null(ct_sums_find(sums, 1, 1));
	ct_sums_close(sums);
}

/* Keys that a poor hash would put into one place: strided, swapped, in high bits only. */
static void key_of(uint64_t i, uint64_t key[2])
{
	switch (i % 4) {
	case 0:
		key[0] = i << 40;
		key[1] = 0;
		break;
	case 1:
		key[0] = i;
		key[1] = i;
		break;
	case 2:
		key[0] = 0;
		key[1] = i << 44;
		break;
	default:
		key[0] = i << 12;
		key[1] = ~i;
	}
}

Test(sums, hold_a_million_keys_and_sort_them)
{
	const uint64_t keys = 1000000;
	struct ct_sums *sums = open_sums();
	const struct ct_sum *sorted;
	size_t count;

	for (uint64_t round = 1; round <= 2; round++)
		for (uint64_t i = 0; i < keys; i++) {
			uint64_t key[2];

			key_of(i, key);
			add(sums, key[0], key[1], round, i);
		}
	sorted = ct_sums_sorted(sums, &count);
	cr_assert_not_null(sorted);
	cr_assert_eq(count, keys);
	for (size_t i = 1; i < count; i++)
		cr_assert(sorted[i - 1].key[0] < sorted[i].key[0] ||
			  (sorted[i - 1].key[0] == sorted[i].key[0] &&
			   sorted[i - 1].key[1] < sorted[i].key[1]));
	for (uint64_t i = 0; i < keys; i++) {
		const struct ct_sum *sum;
		uint64_t key[2];

		key_of(i, key);
		sum = ct_sums_find(sums, key[0], key[1]);
		cr_assert_not_null(sum);
		cr_assert_eq(sum->value[0], 3);
		cr_assert_eq(sum->value[1], 2 * i);
	}
	ct_sums_close(sums);
}

Test(sums, sort_again_after_an_addition)
{
	struct ct_sums *sums = open_sums();
	const struct ct_sum *sorted;
	size_t count;

	add(sums, 7, 0, 1, 1);
	cr_assert_eq(ct_sums_sorted(sums, &count)[0].key[0], 7);
	cr_assert_eq(ct_sums_sorted(sums, &count), ct_sums_sorted(sums, &count));
	add(sums, 3, 0, 1, 1);
	add(sums, 7, 0, 1, 1);
	sorted = ct_sums_sorted(sums, &count);
	cr_assert_eq(count, 2);
	cr_assert_eq(sorted[0].key[0], 3);
	cr_assert_eq(sorted[1].value[0], 2);
	ct_sums_close(sums);
}

Test(sums, merge_keeps_the_other)
{
	struct ct_sums *sums = open_sums(), *other = open_sums();
	size_t count;

	for (uint64_t i = 0; i < 1000; i++) {
		add(sums, i, i, 1, 2);
		add(other, 2 * i, 2 * i, 10, 20);
	}
	for (uint32_t part = 0; part < CT_SUMS_PARTS; part++)
		cr_assert_eq(ct_sums_merge_part(sums, other, part), 0);
	ct_sums_sorted(sums, &count);
	cr_assert_eq(count, 1500);
	cr_assert_eq(ct_sums_find(sums, 4, 4)->value[1], 22);
	cr_assert_eq(ct_sums_find(sums, 5, 5)->value[1], 2);
	cr_assert_eq(ct_sums_find(sums, 1998, 1998)->value[0], 10);
	ct_sums_sorted(other, &count);
	cr_assert_eq(count, 1000);
	cr_assert_eq(ct_sums_find(other, 4, 4)->value[1], 20);
	ct_sums_close(other);
	ct_sums_close(sums);
}

Test(sums, stay_where_they_are_on_one_rank)
{
	struct ct_sums *sums = open_sums();
	struct ct_ranks *ranks;
	char why[200] = "";
	size_t count;

	cr_assert_eq(ct_ranks_open(&ranks, why, sizeof(why)), 0, "%s", why);
	add(sums, 1, 2, 3, 4);
	cr_assert_eq(ct_sums_gather(sums, ranks), 0);
	cr_assert_eq(ct_sums_sorted(sums, &count)->value[1], 4);
	cr_assert_eq(count, 1);
	ct_ranks_close(ranks);
	ct_sums_close(sums);
}
