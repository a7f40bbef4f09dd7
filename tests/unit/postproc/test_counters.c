/* SPDX-License-Identifier: Apache-2.0 */
/* A counter per key. */
#include "postproc/facts/counters.h"
#include <criterion/criterion.h>

Test(counters, begin_at_zero)
{
	struct ct_counters counters = {.used = 0};

	cr_assert_eq(*ct_counters_at(&counters, 0), 0u);
	cr_assert_eq(*ct_counters_at(&counters, UINT64_MAX - 1), 0u);
	ct_counters_fini(&counters);
}

Test(counters, keep_every_key_apart_while_they_grow)
{
	struct ct_counters counters = {.used = 0};

	for (uint64_t round = 0; round < 3; round++)
		for (uint64_t key = 0; key < 5000; key++)
			*ct_counters_at(&counters, key << 20) += (uint32_t)key + 1;
	for (uint64_t key = 0; key < 5000; key++)
		cr_assert_eq(*ct_counters_at(&counters, key << 20), 3 * ((uint32_t)key + 1));
	cr_assert_eq(counters.used, 5000u);
	ct_counters_fini(&counters);
	cr_assert_eq(counters.capacity, 0u);
}
