/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage and totals of a trace with calls, ranges, other spaces and events. */
#include "postproc/analysis/totals/totals.h"
#include "postproc/facts/coverage.h"
#include "tests/unit/trace/trace_calls.h"
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static char *directory;
static struct ct_trace *trace;

static void make(void)
{
	char why[512];

	directory = fixture_directory();
	cr_assert_eq(calls_make(directory, 0, 0), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
}

static void clean(void)
{
	ct_trace_close(trace);
	fixture_remove(directory);
}

TestSuite(coverage, .init = make, .fini = clean);

static uint64_t sites_of(const struct ct_cover_part *part, enum ct_cover cover)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < part->count; i++)
		sum += part->row[i].sites[cover];
	return sum;
}

Test(coverage, every_site_of_the_units_that_ran_is_counted_once)
{
	struct ct_coverage coverage;
	uint64_t sum[CT_COVERS] = {0};

	cr_assert_eq(ct_coverage_init(&coverage, trace), 0);
	for (size_t i = 0; i < coverage.count; i++)
		for (int cover = 0; cover < CT_COVERS; cover++)
			sum[cover] += sites_of(&coverage.part[i], (enum ct_cover)cover);
	/* One of the two blobs of the other unit is for an architecture further away. */
	cr_expect_eq(sum[CT_COVER_DEFINITE], 12);
	cr_expect_eq(sum[CT_COVER_CHECKED], 1);
	cr_expect_eq(sum[CT_COVER_ELSEWHERE], 1);
	cr_expect_eq(sum[CT_COVER_FILTERED], 1);
	cr_expect_eq(sum[CT_COVER_SKIPPED], 1);
	ct_coverage_fini(&coverage);
}

Test(coverage, calls_by_name_lead_to_functions_and_their_patterns)
{
	struct ct_coverage coverage;
	unsigned char reached[8] = {0};
	size_t leaves = 0, others = 0;

	cr_assert_eq(ct_coverage_init(&coverage, trace), 0);
	cr_assert_leq(coverage.count, sizeof(reached));
	cr_assert_str_eq(coverage.part[0].name, "walk(int*)");
	cr_assert(coverage.part[0].is_launched);
	ct_coverage_reach(&coverage, 0, reached);
	for (size_t i = 1; i < coverage.count; i++) {
		leaves += reached[i] && !strcmp(coverage.part[i].name, "leaf(float*, int)");
		others += !reached[i] && !strcmp(coverage.part[i].name, "remote(double*)");
	}
	cr_assert_eq(leaves, 2); /* specialised, and not */
	cr_assert_eq(others, 1);
	ct_coverage_fini(&coverage);
}

static int add_access(void *user, const struct ct_access *access)
{
	return ct_totals_add(user, access);
}

static int add_event(void *user, const struct ct_event *event)
{
	return ct_totals_add_event(user, event);
}

Test(coverage, totals_keep_spaces_reductions_and_events_apart)
{
	struct ct_scan scan = {.access = add_access, .event = add_event};
	const struct ct_launch_totals *launch;
	struct ct_totals *totals;

	cr_assert_eq(ct_totals_open(&totals, trace), 0);
	scan.user = totals;
	cr_assert_eq(ct_trace_scan(trace, &scan, NULL), 0);
	cr_assert_eq(ct_totals_finish(totals, NULL), 0);
	launch = ct_totals_launch(totals, 0);
	/* 2 of 32; in leaf 16, 8, 4, 16, 32, 16; a range by 2 lanes; a wide one */
	cr_expect_eq(launch->global.of[CT_CLASS_LOAD].warps, 2 + 6 + 1 + 1);
	cr_expect_eq(launch->global.of[CT_CLASS_LOAD].threads, 64 + 92 + 2 + 1);
	cr_expect_eq(launch->global.of[CT_CLASS_LOAD].bytes, 4 * (64 + 92) + 100 + 131 + 32);
	cr_expect_eq(launch->global.of[CT_CLASS_STORE].threads, 4 + 8);
	cr_expect_eq(launch->global.of[CT_CLASS_STORE].bytes, 4 * 16 + 8 * 8);
	cr_expect_eq(launch->global.of[CT_CLASS_ATOMIC].threads, 2 + 32);
	cr_expect_eq(launch->global.reduction.warps, 1);
	cr_expect_eq(launch->global.reduction.threads, 32);
	cr_expect_eq(launch->records, 10 + 2 + 2);
	cr_assert_not_null(launch->other);
	cr_expect_eq(launch->other->space[CT_SPACE_SHARED].of[CT_CLASS_LOAD].bytes, 64);
	cr_expect_eq(launch->other->event[CT_OP_CALL].warps, 5);
	cr_expect_eq(launch->other->event[CT_OP_CALL].threads, 16 + 8 + 4 + 16 + 16);
	cr_expect_eq(launch->other->event[CT_OP_BARRIER].threads, 32);
	cr_expect_eq(ct_totals_kernel(totals, 0, 0)->records, launch->records);
	cr_expect_eq(ct_totals_sum(totals)->other->event[CT_OP_CALL].warps, 5);
	cr_expect_eq(ct_totals_site(totals, 0, CALLS_COPY)->bytes, 231);
	cr_expect_eq(ct_totals_site(totals, 2, 0)->threads, 8); /* of the other unit */
	ct_totals_close(totals);
}
