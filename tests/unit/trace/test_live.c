/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that are alive are found by every address in them, and by no other. */
#include "trace/read/live.h"

#include <criterion/criterion.h>

static struct ct_live live;

/* Three of 16 bytes; the second begins where the first ends. */
static void fill(void)
{
	static const struct ct_live_range ranges[] = {
	    {0x120, 0x130, 3}, {0x100, 0x110, 1}, {0x110, 0x120, 2}, {0x200, 0x210, 4}};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		cr_assert_eq(ct_live_insert(&live, &ranges[i]), 0);
}

static void empty(void)
{
	ct_live_fini(&live);
}

TestSuite(live, .init = fill, .fini = empty);

/* 0: there is none */
static uint32_t object_at(uint64_t address)
{
	const struct ct_live_range *range = ct_live_find(&live, address);

	return range ? range->object : 0;
}

Test(live, an_object_begins_at_its_first_byte_and_ends_after_its_last)
{
	cr_assert_eq(object_at(0xff), 0);
	cr_assert_eq(object_at(0x100), 1);
	cr_assert_eq(object_at(0x10f), 1);
	cr_assert_eq(object_at(0x110), 2);
	cr_assert_eq(object_at(0x12f), 3);
	cr_assert_eq(object_at(0x130), 0);
	cr_assert_eq(object_at(0x20f), 4);
	cr_assert_eq(object_at(0x210), 0);
	cr_assert_eq(object_at(0x100), 1, "after a later one");
}

Test(live, ranges_overlap_by_a_byte_or_not_at_all)
{
	cr_assert_null(ct_live_overlap(&live, 0x130, 0x200));
	cr_assert_eq(ct_live_overlap(&live, 0x130, 0x201)->object, 4);
	cr_assert_eq(ct_live_overlap(&live, 0x12f, 0x140)->object, 3);
	cr_assert_null(ct_live_overlap(&live, 0xf0, 0x100));
}

Test(live, only_what_is_named_is_removed)
{
	ct_live_remove(&live, 0x110, 7);
	ct_live_remove(&live, 0x111, 2);
	cr_assert_eq(object_at(0x110), 2);
	cr_assert_eq(object_at(0x20f), 4);
	ct_live_remove(&live, 0x110, 2);
	cr_assert_eq(object_at(0x110), 0);
	cr_assert_eq(object_at(0x10f), 1);
	cr_assert_eq(object_at(0x120), 3);
	ct_live_remove(&live, 0x200, 4);
	cr_assert_eq(object_at(0x200), 0, "the one that was found last");
}

/* As many as a program may have at the same time: in any order, each change moves few. */
Test(live, changes_of_many_move_few)
{
	enum { COUNT = 100000 };
	struct ct_live many = {0};

	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t object = (uint32_t)((uint64_t)i * 60013 % COUNT);
		const struct ct_live_range range = {64 * (uint64_t)object,
						    64 * (uint64_t)object + 64, object};

		cr_assert_eq(ct_live_insert(&many, &range), 0);
	}
	for (uint32_t i = 0; i < COUNT; i++)
		cr_assert_eq(ct_live_find(&many, 64 * (uint64_t)i + 63)->object, i);
	for (uint32_t i = 0; i < COUNT; i++) { /* the first ones first */
		ct_live_remove(&many, 64 * (uint64_t)i, i);
		cr_assert_null(ct_live_find(&many, 64 * (uint64_t)i));
		if (i + 1 < COUNT)
			cr_assert_eq(ct_live_find(&many, 64 * (uint64_t)i + 64)->object, i + 1);
	}
	cr_expect_lt(many.moved, 2ull * COUNT * 300);
	ct_live_fini(&many);
}
