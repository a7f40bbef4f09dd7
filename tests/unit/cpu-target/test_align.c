/* SPDX-License-Identifier: Apache-2.0 */
/* The alignment rule of the CPU target's producer. */
#include "cpu-target/runtime/producer/align.h"
#include <criterion/criterion.h>
#include <stdlib.h>

static struct ct_align_warp warp;
static struct ct_align_group group;

static void push(unsigned lane, uint64_t site, uint32_t bytes, uint64_t address)
{
	ct_align_push(&warp, lane, site, CT_ALIGN_ACCESS, 0, bytes, address);
}

/* A lane's accesses, as a list of sites that ends with 0. Addresses tell lane
 * and position. */
static void push_sites(unsigned lane, const uint32_t *sites)
{
	for (uint64_t i = 0; sites[i]; i++)
		push(lane, sites[i], 4, lane * 0x10000ull + i);
}

#define PUSH(lane, ...) push_sites(lane, (const uint32_t[]){__VA_ARGS__, 0})

static void expect(uint32_t running, uint32_t site, uint32_t mask)
{
	cr_assert(ct_align_next(&warp, running, &group), "nothing taken, expected site %u", site);
	cr_assert_eq(group.site, site, "site %u, expected %u", (uint32_t)group.site, site);
	cr_assert_eq(group.mask, mask, "site %u: mask %x, expected %x", site, group.mask, mask);
}

static void expect_nothing(uint32_t running)
{
	cr_assert_not(ct_align_next(&warp, running, &group), "site %u taken", (uint32_t)group.site);
}

static void reset(void)
{
	ct_align_reset(&warp);
}

TestSuite(cpu_align, .init = reset);

Test(cpu_align, convergent_lanes_make_full_groups)
{
	for (unsigned lane = 0; lane < 32; lane++)
		PUSH(lane, 1, 2, 3, 2, 3, 4);
	for (unsigned i = 0; i < 6; i++) {
		expect(0, (const uint32_t[]){1, 2, 3, 2, 3, 4}[i], CT_FULL_MASK);
		for (unsigned lane = 0; lane < 32; lane++)
			cr_assert_eq(group.address[lane], lane * 0x10000ull + i);
	}
	expect_nothing(0);
}

Test(cpu_align, an_empty_running_lane_holds_the_others_back)
{
	PUSH(0, 5);
	expect_nothing(3);
	PUSH(1, 4);
	expect(3, 4, 2);
	expect_nothing(3);
	expect(1, 5, 1);
}

Test(cpu_align, a_waiting_lane_holds_none_back)
{
	PUSH(0, 5, 6);
	expect(1, 5, 1);
	expect(1, 6, 1);
}

Test(cpu_align, lanes_of_different_trip_counts_meet_behind_the_loop)
{
	PUSH(0, 1, 2, 2, 4);
	PUSH(1, 1, 2, 2, 2, 2, 4);
	PUSH(2, 1, 4);
	expect(0, 1, 7);
	expect(0, 2, 3);
	expect(0, 2, 3);
	expect(0, 2, 2);
	expect(0, 2, 2);
	expect(0, 4, 7);
}

Test(cpu_align, nested_loops_of_different_trip_counts_stay_in_step)
{
	PUSH(0, 1, 2, 2, 4, 1, 2, 4);
	PUSH(1, 1, 2, 4, 1, 2, 2, 4);
	expect(0, 1, 3);
	expect(0, 2, 3);
	expect(0, 2, 1);
	expect(0, 4, 3);
	expect(0, 1, 3);
	expect(0, 2, 3);
	expect(0, 2, 2);
	expect(0, 4, 3);
}

Test(cpu_align, branches_are_taken_one_after_the_other_and_join)
{
	PUSH(0, 1, 3, 9);
	PUSH(1, 1, 5, 9);
	PUSH(2, 1, 3, 9);
	expect(0, 1, 7);
	expect(0, 3, 5);
	expect(0, 5, 2);
	expect(0, 9, 7);
}

Test(cpu_align, branches_in_a_loop_do_not_separate_the_lanes_for_good)
{
	PUSH(0, 3, 5, 3, 5, 3, 5);
	PUSH(1, 3, 7, 3, 7, 3, 7);
	for (int i = 0; i < 3; i++) {
		expect(0, 3, 3);
		expect(0, 5, 1);
		expect(0, 7, 2);
	}
}

Test(cpu_align, a_lane_that_may_be_an_iteration_behind_is_waited_for)
{
	PUSH(0, 3, 5, 3, 5);
	PUSH(1, 3, 7);
	expect(3, 3, 3);
	expect(3, 5, 1);
	expect_nothing(3);
	PUSH(1, 3, 7);
	expect(3, 7, 2);
	expect(3, 3, 3);
}

Test(cpu_align, a_full_lane_whose_future_is_unknown_is_not_waited_for)
{
	PUSH(0, 3, 3);
	PUSH(1, 3);
	for (uint32_t i = 0; i < CT_ALIGN_CAPACITY - 1; i++)
		PUSH(1, 10 + i);
	cr_assert(ct_align_is_full(&warp, 1));
	expect(3, 3, 3);
	PUSH(1, 1000);
	expect(3, 3, 1);
}

Test(cpu_align, accesses_of_different_size_are_not_joined)
{
	push(0, 1, 4, 100);
	push(1, 1, 8, 200);
	expect(0, 1, 1);
	cr_assert_eq(group.bytes, 4);
	expect(0, 1, 2);
	cr_assert_eq(group.bytes, 8);
}

Test(cpu_align, queues_wrap_around)
{
	for (uint64_t i = 0; i < 3 * CT_ALIGN_CAPACITY; i++) {
		push(7, 1 + (uint32_t)(i % 5), 4, i);
		expect(0, 1 + (uint32_t)(i % 5), 1u << 7);
		cr_assert_eq(group.address[7], i);
	}
}

/* Random programs, random progress: everything comes out once, in each lane's
 * order, whatever runs when. */
Test(cpu_align, every_access_appears_once_in_the_order_of_its_lane)
{
	enum { PER_LANE = 2000 };
	uint64_t pushed[32] = {0}, taken[32] = {0};
	unsigned idle = 0;

	srand(7);
	while (idle < 2) {
		uint32_t running = 0;

		for (unsigned lane = 0; lane < 32; lane++) {
			unsigned burst = (unsigned)rand() % 400;

			while (burst-- && pushed[lane] < PER_LANE && !ct_align_is_full(&warp, lane))
				push(lane, 1 + (uint32_t)rand() % 9, 4, pushed[lane]++);
			if (pushed[lane] < PER_LANE)
				running |= 1u << lane;
		}
		idle += !running;
		while (ct_align_next(&warp, running, &group)) {
			cr_assert_neq(group.mask, 0);
			for (unsigned lane = 0; lane < 32; lane++)
				if (group.mask >> lane & 1)
					cr_assert_eq(group.address[lane], taken[lane]++);
		}
	}
	for (unsigned lane = 0; lane < 32; lane++)
		cr_assert_eq(taken[lane], PER_LANE);
}

static void push_event(unsigned lane, uint64_t site, enum ct_event_phase phase)
{
	if (phase == CT_PHASE_LEAVE)
		ct_align_leave_call(&warp, lane, site);
	ct_align_push(&warp, lane, site, CT_ALIGN_EVENT, phase, 0, 0);
}

/* The call at `site`, in which the lane accesses `inner`. */
static void call(unsigned lane, uint64_t site, uint64_t inner)
{
	push_event(lane, site, CT_PHASE_HAPPENS);
	ct_align_enter_call(&warp, lane, site);
	push(lane, inner, 4, 0);
	push_event(lane, site, CT_PHASE_LEAVE);
}

Test(cpu_align, lanes_in_a_callee_come_before_what_follows_the_call)
{
	for (int round = 0; round < 2; round++) {
		call(0, 4, 100); /* the callee's sites are numbered behind the caller's */
		PUSH(0, 5);
		PUSH(1, 5);
		expect(0, 4, 1);
		expect(0, 100, 1);
		expect(0, 4, 1);
		cr_assert_eq(group.phase, CT_PHASE_LEAVE);
		expect(0, 5, 3);
	}
	cr_assert_eq(warp.lane[0].path, 0);
}

Test(cpu_align, lanes_at_different_calls_of_a_function_are_not_joined)
{
	call(0, 4, 100);
	call(1, 6, 100);
	expect(0, 4, 1);
	expect(0, 100, 1);
	expect(0, 4, 1);
	expect(0, 6, 2);
	expect(0, 100, 2);
	expect(0, 6, 2);
}

Test(cpu_align, recursion_of_different_depth_is_joined_at_the_same_depth)
{
	for (unsigned lane = 0; lane < 2; lane++) {
		for (unsigned depth = 0; depth <= lane; depth++) {
			push_event(lane, 7, CT_PHASE_HAPPENS);
			ct_align_enter_call(&warp, lane, 7);
			PUSH(lane, 5);
		}
		for (unsigned depth = 0; depth <= lane; depth++)
			push_event(lane, 7, CT_PHASE_LEAVE);
	}
	expect(0, 7, 3);
	expect(0, 5, 3);
	expect(0, 7, 2);
	expect(0, 5, 2);
	expect(0, 7, 2);
	expect(0, 7, 3);
	/* Only what was executed last is remembered. */
	PUSH(0, 8);
	PUSH(1, 8);
	expect(0, 8, 3);
	cr_assert_eq(warp.paths.live, 0);
}

Test(cpu_align, sites_of_other_units_keep_their_tags)
{
	uint64_t other = 77ull << 32;

	push_event(0, 4, CT_PHASE_HAPPENS);
	ct_align_enter_call(&warp, 0, 4);
	push(0, other | 2, 4, 0);
	push_event(0, 4, CT_PHASE_LEAVE);
	expect(0, 4, 1);
	cr_assert(ct_align_next(&warp, 0, &group));
	cr_assert_eq(group.site, other | 2);
	cr_assert(ct_align_next(&warp, 0, &group));
	cr_assert_eq(group.site, 4);
}

Test(cpu_align, values_go_with_their_accesses)
{
	for (unsigned lane = 0; lane < 2; lane++)
		for (uint64_t i = 0; i < 3; i++) {
			const struct ct_align_value value = {10 * lane + i, 0, CT_PART_VALUE, 4};

			push(lane, 1 + i, 4, 0);
			if (i != 1)
				cr_assert_eq(ct_align_push_value(&warp, lane, &value), 0);
		}
	expect(0, 1, 3);
	cr_assert_eq(group.values, 1);
	cr_assert_eq(group.value[0].low[1], 10);
	expect(0, 2, 3);
	cr_assert_eq(group.values, 0);
	expect(0, 3, 3);
	cr_assert_eq(group.value[0].low[0], 2);
	cr_assert_eq(group.value[0].low[1], 12);
}

Test(cpu_align, a_lane_without_room_for_values_is_full)
{
	const struct ct_align_value value = {1, 2, CT_PART_VALUE, 16};
	unsigned pushed = 0;

	while (!ct_align_is_full(&warp, 3)) {
		push(3, 1, 16, pushed++);
		for (unsigned i = 0; i < CT_ALIGN_VALUES_MAX; i++)
			cr_assert_eq(ct_align_push_value(&warp, 3, &value), 0);
	}
	cr_assert_lt(pushed, CT_ALIGN_CAPACITY);
	for (unsigned i = 0; i < pushed; i++) {
		expect(0, 1, 8);
		cr_assert_eq(group.values, CT_ALIGN_VALUES_MAX);
		cr_assert_eq(group.value[CT_ALIGN_VALUES_MAX - 1].high[3], 2);
	}
	cr_assert_not(ct_align_is_full(&warp, 3));
}
