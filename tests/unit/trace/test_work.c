/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/read/work.h"

#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <stdlib.h>

Test(work, what_a_trace_asks_for_is_bounded_by_its_bytes)
{
	struct ct_trace_work work;

	unsetenv("CTPOST_EXPAND");
	ct_work_init(&work, 1000);
	cr_expect_eq(ct_work_add(&work, 1, CT_WORK_FREE), 0);
	cr_expect_eq(ct_work_add(&work, 1000, CT_WORK_PER_BYTE), 0);
	cr_expect_eq(ct_work_add(&work, 1, 1), -CT_EWORK);
	ct_work_init(&work, 1000);
	cr_expect_eq(ct_work_add(&work, 1000, CT_WORK_PER_BYTE + 1), 0);
	cr_expect_eq(ct_work_add(&work, 1, UINT64_MAX), -CT_EWORK);
	cr_expect_eq(ct_work_add(&work, 3, UINT64_MAX), -CT_EWORK);
	ct_work_init(&work, UINT64_MAX);
	cr_expect_eq(ct_work_add(&work, 8, 1ull << 60), 0);
}

Test(work, nothing_is_refused_where_all_is_wanted)
{
	struct ct_trace_work work;

	setenv("CTPOST_EXPAND", "all", 1);
	ct_work_init(&work, 0);
	cr_expect_eq(ct_work_add(&work, UINT64_MAX, UINT64_MAX), 0);
}

/* A few words of a damaged trace stand for any number of rows at one place otherwise. */
Test(work, rows_of_transfers_lie_apart)
{
	const struct ct_event_transfer plane = {.target = 4096,
						.source = 8192,
						.width = 100,
						.height = 7,
						.depth = 3,
						.target_row = 100,
						.source_row = 128,
						.target_slice = 700,
						.source_slice = 868};
	struct ct_event_transfer other = plane;

	cr_expect(ct_transfer_is_sound(&plane));
	other.target_row = 99;
	cr_expect_not(ct_transfer_is_sound(&other));
	other.target = 0; /* an array */
	cr_expect(ct_transfer_is_sound(&other));
	other.source_row = 0;
	cr_expect_not(ct_transfer_is_sound(&other));
	other.height = 1;
	other.source_slice = 100;
	cr_expect(ct_transfer_is_sound(&other));
	other.source_slice = 99;
	cr_expect_not(ct_transfer_is_sound(&other));
	other.depth = 1;
	cr_expect(ct_transfer_is_sound(&other));
	other = plane;
	other.source_slice = 867;
	cr_expect_not(ct_transfer_is_sound(&other));
	other.target_row = UINT64_MAX;
	cr_expect_not(ct_transfer_is_sound(&other));
}
