/* SPDX-License-Identifier: Apache-2.0 */
/* Handles have ids that are never given twice. */
#include "host-rt/base/ids.h"
#include <criterion/criterion.h>

static struct ct_ids ids;
static const char a, b;

Test(hostrt_ids, a_handle_keeps_its_id)
{
	cr_assert_eq(ct_ids_of(&ids, &a, 0), 1);
	cr_assert_eq(ct_ids_of(&ids, &b, 0), 2);
	cr_assert_eq(ct_ids_of(&ids, &a, 0), 1);
}

Test(hostrt_ids, threads_have_ids_of_their_own)
{
	cr_assert_eq(ct_ids_of(&ids, &a, 7), 1);
	cr_assert_eq(ct_ids_of(&ids, &a, 8), 2);
	cr_assert_eq(ct_ids_of(&ids, &a, 7), 1);
}

Test(hostrt_ids, a_handle_that_comes_again_has_a_new_id)
{
	cr_assert_eq(ct_ids_of(&ids, &a, 0), 1);
	cr_assert_eq(ct_ids_forget(&ids, &a), 1);
	cr_assert_eq(ct_ids_of(&ids, &a, 0), 2);
	cr_assert_eq(ct_ids_renew(&ids, &a), 3);
	cr_assert_eq(ct_ids_of(&ids, &a, 0), 3);
}

Test(hostrt_ids, what_was_not_destroyed_after_all_keeps_its_id)
{
	cr_assert_eq(ct_ids_of(&ids, &a, 0), 1);
	ct_ids_restore(&ids, &a, ct_ids_forget(&ids, &a));
	cr_assert_eq(ct_ids_of(&ids, &a, 0), 1);
	cr_assert_eq(ct_ids_of(&ids, &b, 0), 2);
}

Test(hostrt_ids, an_unknown_handle_has_no_id_to_forget)
{
	cr_assert_eq(ct_ids_forget(&ids, &a), 0);
}

Test(hostrt_ids, many_handles_share_buckets)
{
	static char handles[5 * CT_IDS_BUCKETS];

	for (uint64_t i = 0; i < sizeof(handles); i++)
		cr_assert_eq(ct_ids_of(&ids, &handles[i], 0), i + 1);
	for (uint64_t i = 0; i < sizeof(handles); i += 2)
		cr_assert_eq(ct_ids_forget(&ids, &handles[i]), i + 1);
	for (uint64_t i = 1; i < sizeof(handles); i += 2)
		cr_assert_eq(ct_ids_of(&ids, &handles[i], 0), i + 1);
}
