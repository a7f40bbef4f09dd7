/* SPDX-License-Identifier: Apache-2.0 */
#include "postproc/facts/lifetimes.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define MANY 100000u

/* One at a time at overlapping addresses: the begin moves, so that no two need begin alike. */
static struct ct_lifetime *one_after_another(uint32_t count, uint64_t shift)
{
	struct ct_lifetime *lifetime = calloc(count, sizeof(*lifetime));

	for (uint32_t i = 0; i < count; i++)
		lifetime[i] = (struct ct_lifetime){
		    .begin = 0x1000 + i * shift % 256,
		    .end = 0x2000 + i * shift % 256,
		    .allocated_at = 2 * (uint64_t)i,
		    .freed_at = 2 * (uint64_t)i + 1,
		};
	return lifetime;
}

static uint64_t most_steps(uint32_t count, uint64_t shift)
{
	struct ct_lifetime *lifetime = one_after_another(count, shift);
	struct ct_lifetimes lifetimes;
	uint64_t most = 0;

	cr_assert_eq(ct_lifetimes_init(&lifetimes, lifetime, count), 0);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t steps = 0, none = 0;

		cr_assert_eq(ct_lifetimes_find(&lifetimes, 0x1800, 2 * (uint64_t)i, &steps), i);
		cr_assert_eq(ct_lifetimes_find(&lifetimes, 0x1800, 2 * (uint64_t)i + 1, &none),
			     CT_NO_LIFETIME);
		most = steps > most ? steps : most;
	}
	ct_lifetimes_fini(&lifetimes);
	free(lifetime);
	return most;
}

Test(lifetimes, steps_grow_with_the_logarithm_of_objects_at_one_address)
{
	cr_expect_leq(most_steps(MANY, 0), 2 * 17);
	cr_expect_leq(most_steps(MANY, 1), 17 * 17);
	cr_expect_leq(most_steps(MANY, 0), most_steps(MANY / 10, 0) + 5);
}

/* Objects as a reader leaves them: a new one ends what lives at its addresses. */
static uint32_t make_random(struct ct_lifetime *lifetime, uint32_t count)
{
	srand(1);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t begin = 0x1000 + 16 * ((uint64_t)rand() % 200);

		lifetime[i] = (struct ct_lifetime){begin, begin + 16 * ((uint64_t)rand() % 30),
						   3 * (uint64_t)i, UINT64_MAX};
		for (uint32_t k = 0; k < i; k++) {
			struct ct_lifetime *old = &lifetime[k];

			if (old->freed_at > lifetime[i].allocated_at &&
			    old->begin < lifetime[i].end && old->end > lifetime[i].begin)
				old->freed_at = rand() % 2 ? lifetime[i].allocated_at
							   : lifetime[i].allocated_at - 1;
		}
	}
	return count;
}

Test(lifetimes, of_any_objects_the_one_is_found_that_a_look_at_all_finds)
{
	enum { COUNT = 400 };
	struct ct_lifetime lifetime[COUNT];
	struct ct_lifetimes lifetimes;
	uint32_t found = 0;

	cr_assert_eq(ct_lifetimes_init(&lifetimes, lifetime, make_random(lifetime, COUNT)), 0);
	for (uint64_t address = 0xff0; address < 0x1000 + 16 * 240; address += 8)
		for (uint64_t at = 0; at < 3 * COUNT + 3; at += 2) {
			uint32_t expected = CT_NO_LIFETIME;
			uint64_t steps = 0;

			for (uint32_t i = 0; i < COUNT; i++)
				if (ct_lifetime_holds(&lifetime[i], address, at))
					expected = i;
			cr_assert_eq(ct_lifetimes_find(&lifetimes, address, at, &steps), expected);
			found += expected != CT_NO_LIFETIME;
		}
	cr_expect_gt(found, 1000);
	ct_lifetimes_fini(&lifetimes);
}

Test(lifetimes, nothing_and_what_is_empty_hold_nothing)
{
	const struct ct_lifetime empty[] = {{8, 8, 0, 9}, {16, 32, 5, 5}};
	struct ct_lifetimes lifetimes;
	uint64_t steps = 0;

	cr_assert_eq(ct_lifetimes_init(&lifetimes, NULL, 0), 0);
	cr_expect_eq(ct_lifetimes_find(&lifetimes, 8, 1, &steps), CT_NO_LIFETIME);
	ct_lifetimes_fini(&lifetimes);
	cr_assert_eq(ct_lifetimes_init(&lifetimes, empty, 2), 0);
	cr_expect_eq(ct_lifetimes_find(&lifetimes, 8, 1, &steps), CT_NO_LIFETIME);
	cr_expect_eq(ct_lifetimes_find(&lifetimes, 16, 5, &steps), CT_NO_LIFETIME);
	ct_lifetimes_fini(&lifetimes);
}
