/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks by warp against a plain stack per lane. */
#include "trace/read/paths.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

#define DEPTH_MAX 12u
#define WARPS 5u

struct lane_stack {
	uint32_t depth;
	uint32_t site[DEPTH_MAX];
};

static struct lane_stack model[WARPS][CT_WARP_LANES];
static struct ct_paths *paths;
static const struct ct_unit unit;

static void make(void)
{
	cr_assert_eq(ct_paths_open(&paths), 0);
}

static void clean(void)
{
	ct_paths_close(paths);
}

TestSuite(paths, .init = make, .fini = clean);

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static uint32_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 16);
}

static bool is_same(const struct lane_stack *a, const struct lane_stack *b)
{
	return a->depth == b->depth && !memcmp(a->site, b->site, a->depth * sizeof(a->site[0]));
}

/* Every lane of mask is handed out once, with its path. */
static void check(uint32_t warp, uint32_t mask)
{
	for (uint32_t rest = mask; rest;) {
		const struct ct_path_call *path;
		uint32_t depth, group = ct_paths_group(paths, rest, &path, &depth);
		const struct lane_stack *first = &model[warp][__builtin_ctz(rest)];

		cr_assert_eq(group & ~rest, 0);
		cr_assert(group >> __builtin_ctz(rest) & 1);
		cr_assert_eq(depth, first->depth);
		for (uint32_t i = 0; i < depth; i++)
			cr_assert_eq(path[i].site, first->site[i]);
		for (uint32_t lane = 0; lane < CT_WARP_LANES; lane++)
			if (rest >> lane & 1)
				cr_assert_eq(group >> lane & 1, is_same(&model[warp][lane], first));
		rest &= ~group;
	}
}

/* Lanes with room for one more call, made one. */
static void enter(uint32_t warp, uint32_t mask, uint32_t site)
{
	const struct ct_path_call call = {&unit, site};
	uint32_t lanes = 0;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		struct lane_stack *stack = &model[warp][__builtin_ctz(rest)];

		if (stack->depth == DEPTH_MAX)
			continue;
		stack->site[stack->depth++] = site;
		lanes |= rest & -rest;
	}
	if (lanes)
		cr_assert_eq(ct_paths_enter(paths, &call, lanes), 0);
}

/* Lanes of mask in that call return from it, and from what they called in it. */
static void leave(uint32_t warp, uint32_t mask, uint32_t site)
{
	const struct ct_path_call call = {&unit, site};

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		struct lane_stack *stack = &model[warp][__builtin_ctz(rest)];
		uint32_t depth = stack->depth;

		while (depth > 0 && stack->site[depth - 1] != site)
			depth--;
		stack->depth = depth > 0 ? depth - 1 : stack->depth;
	}
	ct_paths_leave(paths, &call, mask);
}

Test(paths, are_those_of_a_stack_per_lane)
{
	for (uint32_t i = 0; i < 60000; i++) {
		uint32_t warp = next_random() % WARPS, mask = next_random(), site;

		mask = next_random() % 3 ? mask & next_random() : CT_FULL_MASK;
		mask = mask ? mask : 1;
		site = next_random() % 3;
		ct_paths_select(paths, 7, 3, warp);
		if (next_random() % 5 < 2)
			enter(warp, mask, site);
		else
			leave(warp, mask, site);
		check(warp, mask);
		check(warp, CT_FULL_MASK);
	}
}

Test(paths, of_recursion_are_as_deep_as_it)
{
	const struct ct_path_call call = {&unit, 4};
	const struct ct_path_call *path;
	uint32_t depth;

	ct_paths_select(paths, 1, 0, 0);
	for (uint32_t i = 0; i < 1000; i++)
		cr_assert_eq(ct_paths_enter(paths, &call, 0xff), 0);
	cr_assert_eq(ct_paths_group(paths, CT_FULL_MASK, &path, &depth), 0xff);
	cr_assert_eq(depth, 1000);
	for (uint32_t i = 0; i < 1000; i++)
		ct_paths_leave(paths, &call, 0xff);
	cr_assert_eq(ct_paths_group(paths, CT_FULL_MASK, &path, &depth), CT_FULL_MASK);
	cr_assert_eq(depth, 0);
}

Test(paths, of_warps_and_launches_are_apart)
{
	const struct ct_path_call call = {&unit, 9};
	const struct ct_path_call *path;
	uint32_t depth;

	for (uint32_t i = 0; i < 5000; i++) {
		ct_paths_select(paths, 1 + i % 3, i / 3, i % 32);
		cr_assert_eq(ct_paths_enter(paths, &call, 1u << i % 32), 0);
	}
	for (uint32_t i = 0; i < 5000; i++) {
		ct_paths_select(paths, 1 + i % 3, i / 3, i % 32);
		ct_paths_group(paths, 1u << i % 32, &path, &depth);
		cr_assert_eq(depth, 1);
		ct_paths_select(paths, 1 + i % 3, i / 3, (i + 1) % 32);
		ct_paths_group(paths, CT_FULL_MASK, &path, &depth);
		cr_assert_eq(depth, 0);
	}
	ct_paths_clear(paths);
	ct_paths_select(paths, 1, 0, 0);
	ct_paths_group(paths, 1, &path, &depth);
	cr_assert_eq(depth, 0);
}

/* A launch after the other leaves lanes in calls, as those that exit there do. */
Test(paths, memory_is_bounded)
{
	const struct ct_path_call call = {&unit, 1};
	const struct ct_path_call *path;
	uint32_t depth;
	bool is_forgotten = false;

	for (uint32_t launch = 1; launch <= 50; launch++) {
		for (uint32_t cta = 0; cta < 100000; cta++) {
			ct_paths_select(paths, launch, cta, 0);
			is_forgotten |= ct_paths_enter(paths, &call, 1) == 1;
		}
	}
	cr_assert(is_forgotten);
	ct_paths_group(paths, 1, &path, &depth);
	cr_assert_eq(depth, 1);
	ct_paths_select(paths, 1, 0, 0);
	ct_paths_group(paths, 1, &path, &depth);
	cr_assert_eq(depth, 0);
}
