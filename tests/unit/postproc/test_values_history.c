/* SPDX-License-Identifier: Apache-2.0 */
/* How often elements of a page are accessed, where that is more than 32 bits hold; its objects. */
#include "postproc/analysis/values/base/facts.h"
#include "postproc/analysis/values/figures/usage.h"
#include "postproc/analysis/values/pages/history.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const struct ct_event_alloc alloc = {.address = 0x7000, .bytes = 8};
static const struct ct_object_info object = {.event = &alloc, .freed_at = UINT64_MAX};
static const struct ct_launch_info launch;
static const struct ct_superstep superstep[2] = {{.launch = &launch, .event_index = 1},
						 {.event_index = 2}};
static struct ct_value_step step[2] = {{.is_ordered = true}, {.is_ordered = true}};
static struct ct_value_object of = {.freed_at = 1, .is_device = true};
static uint32_t by_address[1], unseen[2], node[2];

/* Facts of objects alone. */
static void give(struct ct_sums *sums, struct ct_value_usage *usage)
{
	size_t count;
	const struct ct_sum *sum = ct_sums_sorted(sums, &count);

	for (size_t i = 0; i < count; i++)
		if (CT_VALUE_FACT_OF(sum[i].key[0]) >= CT_VALUE_FACT_WROTE &&
		    CT_VALUE_FACT_OF(sum[i].key[0]) <= CT_VALUE_FACT_GAPS)
			ct_value_usage_add(usage, &sum[i]);
}

/* Two elements of four bytes, accessed a and b times in one launch. */
static struct ct_values_usage use_of(uint64_t a, uint64_t b)
{
	struct ct_value_engine engine = {.first_object = &object,
					 .objects = 1,
					 .by_address = by_address,
					 .object = &of,
					 .superstep = superstep,
					 .steps = 2,
					 .step = step,
					 .unseen = unseen,
					 .node = node};
	struct ct_values_lifetime life = {.group = 0};
	struct ct_values_set set = {.type = 2, .elements = a + b};
	struct ct_values_figures figures = {
	    .life = &life, .lives = 1, .groups = 1, .set = &set, .sets = 1};
	struct ct_value_history *history = calloc(1, sizeof(*history));
	struct ct_value_usage usage;
	struct ct_sums *sums;

	cr_assert(history && ct_sums_open(&sums) == 0 && ct_value_usage_init(&usage, &engine) == 0);
	history->engine = &engine;
	history->sums = sums;
	ct_history_begin_page(history, 7);
	cr_assert_eq(ct_history_begin_run(history, 0), 0);
	ct_history_mark(history, 0, 8, CT_MARK_READ_OLD);
	ct_history_hit(history, 0, a);
	ct_history_hit(history, 4, b);
	cr_assert_eq(ct_history_end_run(history), 0);
	cr_assert_eq(ct_history_end_page(history), 0);
	give(sums, &usage);
	cr_assert_eq(ct_value_usage_finish(&usage, &figures, &engine), 0);
	ct_value_usage_fini(&usage);
	ct_sums_close(sums);
	free(history->part);
	free(history);
	return life.usage;
}

Test(values_history, hits_of_more_than_32_bits)
{
	const uint64_t much = UINT64_C(3) << 33, twice = 2 * much;
	struct ct_values_usage few = use_of(1, 2), many = use_of(much, twice);

	cr_assert_eq(few.used, 8);
	cr_assert_float_eq(few.mean, 1.5, 1e-12);
	cr_assert_float_eq(few.deviation, 1 / 3., 1e-12, "half of 1 by 1.5");
	cr_assert_float_eq(many.mean, 1.5 * (double)much, 1);
	cr_assert_float_eq(many.deviation, 1 / 3., 1e-9);
}

/* Bytes side by side with one mark, of no object up to one that was freed before, and one that
 * lives. */
Test(values_history, an_object_is_found_behind_bytes_of_none)
{
	static const struct ct_event_alloc allocs[] = {{.address = 0x7011, .bytes = 4},
						       {.address = 0x7041, .bytes = 8}};
	static const struct ct_object_info objects[] = {
	    {.event = &allocs[0], .freed_at = 0}, {.event = &allocs[1], .freed_at = UINT64_MAX}};
	static uint32_t in_order[] = {0, 1};
	static struct ct_value_object both[] = {{.is_device = true},
						{.freed_at = 1, .is_device = true}};
	struct ct_value_engine engine = {.first_object = objects,
					 .objects = 2,
					 .by_address = in_order,
					 .object = both,
					 .superstep = superstep,
					 .steps = 2,
					 .step = step,
					 .unseen = unseen,
					 .node = node};
	struct ct_value_history *history = calloc(1, sizeof(*history));
	struct ct_sums *sums;

	cr_assert(history && ct_sums_open(&sums) == 0);
	history->engine = &engine;
	history->sums = sums;
	ct_history_begin_page(history, 7);
	cr_assert_eq(ct_history_begin_run(history, 0), 0);
	ct_history_mark(history, 0, 256, CT_MARK_WROTE);
	cr_assert_eq(ct_history_end_run(history), 0);
	cr_assert_eq(history->parts, 1);
	cr_expect_eq(history->part[0].object, 1);
	cr_expect_eq(history->part[0].start, 0x41);
	cr_expect_eq(history->part[0].end, 0x49);
	cr_expect_eq(ct_value_object_after(&engine, 0, 0x7000), 0x7011);
	cr_expect_eq(ct_value_object_after(&engine, 0, 0x7011), 0x7041);
	cr_expect_eq(ct_value_object_after(&engine, 0, 0x7041), UINT64_MAX);
	ct_sums_close(sums);
	free(history->part);
	free(history);
}
