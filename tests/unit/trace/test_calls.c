/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, values, ranges, events, spaces and other units' sites, as the reader hands them out. */
#include "tests/unit/trace/trace_calls.h"
#include "tests/unit/trace/trace_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define SEEN_MAX 64u

/* One callback of a scan. */
struct seen {
	char kind; /* access, event, value */
	struct ct_access at;
	struct ct_path_call path[4];
	uint64_t range[CT_WARP_LANES];
	uint32_t phase;
	struct ct_value value;
};

static char *directory;
static struct ct_trace *trace;
static struct seen seen[SEEN_MAX];
static size_t count;

static struct seen *note(char kind, const struct ct_access *at)
{
	struct seen *place = &seen[count];

	cr_assert_lt(count, SEEN_MAX);
	cr_assert_leq(at->depth, 4);
	*place = (struct seen){.kind = kind, .at = *at};
	if (at->depth)
		memcpy(place->path, at->path, at->depth * sizeof(*at->path));
	if (at->range)
		memcpy(place->range, at->range, sizeof(place->range));
	count++;
	return place;
}

static int on_access(void *user, const struct ct_access *access)
{
	(void)user;
	note('a', access);
	return 0;
}

static int on_event(void *user, const struct ct_event *event)
{
	(void)user;
	note('e', event->at)->phase = event->phase;
	return 0;
}

static int on_value(void *user, const struct ct_value *value)
{
	(void)user;
	note('v', value->at)->value = *value;
	return 0;
}

static void scan(uint32_t paths)
{
	struct ct_scan request = {
	    .access = on_access, .event = on_event, .value = on_value, .paths = paths};
	uint64_t damaged;

	count = 0;
	cr_assert_eq(ct_trace_scan(trace, &request, &damaged), 0);
	cr_assert_eq(damaged, 0);
}

static void make(void)
{
	char why[512];

	directory = fixture_directory();
	cr_assert_eq(calls_make(directory, 1, 0), 0);
	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
}

static void clean(void)
{
	ct_trace_close(trace);
	fixture_remove(directory);
}

TestSuite(calls, .init = make, .fini = clean);

/* The n-th access, from 0, at a site of the launched unit. */
static const struct seen *access_at(enum calls_site site, size_t n)
{
	for (size_t i = 0; i < count; i++)
		if (seen[i].kind == 'a' && seen[i].at.unit == seen[i].at.launch->unit &&
		    seen[i].at.site == site && !n--)
			return &seen[i];
	cr_assert_fail("no such access");
	return NULL;
}

static void expect_path(const struct seen *access, uint32_t mask, uint32_t depth,
			const uint32_t *sites)
{
	cr_expect_eq(access->at.mask, mask, "%08x", access->at.mask);
	cr_expect_eq(access->at.depth, depth);
	for (uint32_t i = 0; i < depth; i++) {
		cr_expect_eq(access->path[i].site, sites[i]);
		cr_expect_eq(access->path[i].unit, access->at.launch->unit);
	}
}

Test(calls, every_access_has_the_calls_that_led_to_it)
{
	const uint32_t once[] = {CALLS_CALL}, other[] = {CALLS_CALL_TOO};
	const uint32_t deep[] = {CALLS_CALL, CALLS_AGAIN, CALLS_AGAIN};

	scan(1);
	expect_path(access_at(CALLS_LOAD, 0), CT_FULL_MASK, 0, NULL);
	expect_path(access_at(CALLS_LEAF, 0), 0xffff, 1, once);
	expect_path(access_at(CALLS_LEAF, 1), 0xff, 2, deep);
	expect_path(access_at(CALLS_LEAF, 2), 0xf, 3, deep);
	expect_path(access_at(CALLS_LEAF, 3), 0xffff, 1, once);
	/* One record, two paths. */
	expect_path(access_at(CALLS_LEAF, 4), 0xffff, 1, other);
	expect_path(access_at(CALLS_LEAF, 5), 0xffff0000u, 1, once);
	expect_path(access_at(CALLS_LEAF, 6), 0xffff0000u, 1, once);
	expect_path(access_at(CALLS_CAS, 0), 3, 0, NULL);
}

Test(calls, both_events_of_a_call_come_from_where_it_stands)
{
	uint32_t happens = 0, leaves = 0;

	scan(1);
	for (size_t i = 0; i < count; i++) {
		if (seen[i].kind != 'e' || seen[i].at.info->operation != 21)
			continue;
		happens += seen[i].phase == CT_PHASE_HAPPENS;
		leaves += seen[i].phase == CT_PHASE_LEAVE;
		if (seen[i].at.site == CALLS_AGAIN)
			cr_expect_eq(seen[i].at.depth, seen[i].at.mask == 0xff ? 1 : 2);
		else
			cr_expect_eq(seen[i].at.depth, 0);
	}
	cr_assert_eq(happens, 5);
	cr_assert_eq(leaves, 5);
}

Test(calls, records_are_whole_where_paths_are_not_asked_for)
{
	scan(0);
	expect_path(access_at(CALLS_LEAF, 4), CT_FULL_MASK, 0, NULL);
}

/* The values that follow an access, in order of their parts. */
static const struct ct_value *value_of(const struct seen *access, size_t n)
{
	const struct seen *at = access + 1 + n;

	cr_assert_lt((size_t)(at - seen), count);
	cr_assert_eq(at->kind, 'v');
	cr_assert_eq(at->at.site, access->at.site);
	cr_assert_eq(at->at.mask, access->at.mask);
	cr_assert_eq(at->at.warp, access->at.warp);
	return &at->value;
}

static int32_t int_of(const struct ct_value *value, uint32_t lane)
{
	int32_t number;

	memcpy(&number, value->data[lane], sizeof(number));
	return number;
}

Test(calls, values_come_right_after_their_access_also_from_a_later_chunk)
{
	const struct ct_value *value;

	scan(1);
	value = value_of(access_at(CALLS_LOAD, 0), 0);
	cr_assert_eq(value->bytes, 4);
	for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
		cr_assert_eq(int_of(value, lane), -3 + 2 * (int32_t)lane);
	cr_assert_eq(access_at(CALLS_LOAD, 1)->at.warp, 1);
	cr_assert_eq(int_of(value_of(access_at(CALLS_LOAD, 1), 0), 31), 40);
}

Test(calls, an_atomic_has_operand_compare_and_returned_value)
{
	const struct seen *cas;

	scan(1);
	cas = access_at(CALLS_CAS, 0);
	cr_assert_eq(value_of(cas, 0)->part, CT_PART_VALUE);
	cr_assert_eq(int_of(value_of(cas, 0), 1), 7);
	cr_assert_eq(value_of(cas, 1)->part, CT_PART_COMPARE);
	cr_assert_eq(int_of(value_of(cas, 1), 1), 0);
	cr_assert_eq(value_of(cas, 2)->part, CT_PART_RETURNED);
	cr_assert_eq(int_of(value_of(cas, 2), 1), -1);
}

Test(calls, a_wide_value_comes_in_parts)
{
	double number;

	scan(1);
	memcpy(&number, value_of(access_at(CALLS_WIDE, 0), 0)->data[0] + 8, sizeof(number));
	cr_assert_eq(number, -2);
	memcpy(&number, value_of(access_at(CALLS_WIDE, 0), 1)->data[0], sizeof(number));
	cr_assert_eq(number, 1e300);
	cr_assert_eq(value_of(access_at(CALLS_WIDE, 0), 1)->part, 1);
}

Test(calls, a_range_has_the_bytes_of_each_lane)
{
	const struct seen *copy;

	scan(1);
	copy = access_at(CALLS_COPY, 0);
	cr_assert_eq(copy->at.mask, 0x80000001u);
	cr_assert_eq(copy->range[0], 100);
	cr_assert_eq(copy->range[31], 131);
	cr_assert_eq(copy->at.address[31], CALLS_DATA + 4096 * 31);
	cr_assert_null(access_at(CALLS_LOAD, 0)->at.range);
}

Test(calls, addresses_of_other_spaces_are_in_no_object)
{
	const struct seen *access;

	scan(1);
	access = access_at(CALLS_SHARED, 0);
	cr_assert_eq(CT_ADDRESS_SPACE(access->at.address[3]), CT_SPACE_SHARED);
	cr_assert_eq(access->at.address[3] & CT_ADDRESS_OFFSET_MASK, 70);
	cr_assert_null(ct_trace_object_at(trace, access->at.launch, access->at.address[3]));
	cr_assert_not_null(ct_trace_object_at(trace, access->at.launch, CALLS_DATA));
}

Test(calls, a_tagged_site_is_of_the_unit_for_the_nearest_architecture)
{
	const struct ct_access *remote = NULL;

	scan(1);
	for (size_t i = 0; i < count; i++)
		if (seen[i].at.unit != seen[i].at.launch->unit)
			remote = &seen[i].at;
	cr_assert_not_null(remote);
	cr_assert_eq(remote->unit->header->unit_id, CALLS_OTHER_ID);
	cr_assert_eq(remote->unit->header->arch, 86);
	cr_assert_str_eq(ct_unit_string(remote->unit, remote->info->function), "_Z6remotePd");
	cr_assert_eq(remote->mask, 0xff);
}

Test(calls, without_callbacks_for_them_only_accesses_are_handed_out)
{
	struct ct_scan request = {.access = on_access, .paths = 1};

	count = 0;
	cr_assert_eq(ct_trace_scan(trace, &request, NULL), 0);
	for (size_t i = 0; i < count; i++)
		cr_assert_eq(seen[i].kind, 'a');
	cr_assert_eq(count, 16);
}
