/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of an object that are never read, by hand: a range, the same bytes of each structure,
 * others; taken at once, and as sums of pages. */
#include "postproc/facts/unread.h"

#include <criterion/criterion.h>

#define BYTES 61440u /* of the object: 15 pages */

static void is(const struct ct_unread *unread, uint64_t first, uint64_t end, uint32_t period)
{
	struct ct_unread_range found = ct_unread_find(unread, BYTES);

	cr_expect_eq(found.bytes, unread->bytes);
	cr_expect_eq(found.first, first, "from %lu", (unsigned long)found.first);
	cr_expect_eq(found.end, end, "to %lu", (unsigned long)found.end);
	cr_expect_eq(found.period, period, "period %u", found.period);
}

/* Takes these of each so many bytes, in the object's bytes up to `until`. */
static void take(struct ct_unread *unread, uint32_t period, uint32_t first, uint32_t end,
		 uint64_t until)
{
	for (uint64_t at = 0; at + period <= until; at += period)
		ct_unread_take(unread, at + first, at + end, BYTES);
}

Test(unread, a_range_is_reported_by_its_offsets)
{
	struct ct_unread one = {.bytes = 0}, two = {.bytes = 0}, last = {.bytes = 0};

	ct_unread_take(&one, 100, 5000, BYTES);
	ct_unread_take(&one, 5000, 30001, BYTES);
	is(&one, 100, 30001, 0);
	ct_unread_take(&two, 0, 100, BYTES);
	ct_unread_take(&two, 200, 300, BYTES);
	is(&two, 0, 0, 0);
	ct_unread_take(&last, BYTES - 1, BYTES, BYTES);
	is(&last, BYTES - 1, BYTES, 0);
}

Test(unread, of_structures_the_same_bytes)
{
	static const uint32_t periods[] = {8, 12, 16, 20, 24, 48, 96};

	for (size_t i = 0; i < sizeof(periods) / sizeof(*periods); i++) {
		struct ct_unread unread = {.bytes = 0}, half = {.bytes = 0};

		take(&unread, periods[i], 4, 8, BYTES);
		is(&unread, 4, 8, periods[i]);
		take(&half, periods[i], 4, 8, BYTES / 2);
		is(&half, 4, 8, periods[i]);
	}
}

/* One in two structures is none of these: a period of twice the size has them all. */
Test(unread, a_part_of_the_structures_is_another_period_or_none)
{
	struct ct_unread second = {.bytes = 0}, any = {.bytes = 0};

	take(&second, 24, 20, 24, BYTES);
	is(&second, 20, 24, 24);
	for (uint32_t at = 0, step = 0; at + 4 <= BYTES; at += 4 + 4 * (step++ * 7919 % 5))
		ct_unread_take(&any, at, at + 4, BYTES);
	is(&any, 0, 0, 0);
}

Test(unread, sums_say_the_same)
{
	struct ct_unread all = {.bytes = 0}, sum = {.bytes = 0};

	take(&all, 12, 8, 12, BYTES);
	ct_unread_add(&sum, CT_UNREAD_ALL, all.bytes, all.offsets);
	ct_unread_add(&sum, CT_UNREAD_BLOCKS, all.blocks, 0);
	for (uint32_t i = 0; i < CT_UNREAD_RESIDUES; i++)
		ct_unread_add(&sum, CT_UNREAD_RESIDUE + i, all.residue[i], 0);
	for (uint32_t i = 0; i < CT_UNREAD_PARTS; i++)
		ct_unread_add(&sum, CT_UNREAD_PART + i, all.part[i], 0);
	is(&sum, 8, 12, 12);
}
