/* SPDX-License-Identifier: Apache-2.0 */
/* Branches of a warp: by hand, and of random programs that are run lane group by lane group, which
 * knows at each branch where its lanes go. */
#include "postproc/analysis/branches/warp.h"
#include "tests/unit/trace/trace_random.h"

#include <criterion/criterion.h>
#include <cudatrace/unit.h>
#include <stddef.h>
#include <string.h>

#define SITES 16u
#define ALL 0xffffffffu

struct counts {
	uint64_t branches[SITES], divergent[SITES], lanes[SITES], back[SITES];
	uint64_t parted[SITES], idle[SITES]; /* not by random programs */
};

static int take(void *user, const struct ct_branches_taken *taken)
{
	struct counts *counts = user;

	counts->branches[taken->site]++;
	counts->divergent[taken->site] += taken->is_divergent;
	counts->lanes[taken->site] += taken->lanes;
	counts->back[taken->site] += taken->goes_back;
	return 0;
}

static int part(void *user, uint32_t site)
{
	((struct counts *)user)->parted[site]++;
	return 0;
}

static struct ct_branches_warp warp;
static struct counts found, expected;
static const struct ct_branches_listener listener = {take, part, &found};

static uint32_t outermost;

static int add_idle(void *user, uint32_t site, uint32_t all, uint32_t there)
{
	cr_assert_gt(all, there, "none was left there");
	cr_assert(!user || there >= outermost, "branches within one another have fewer lanes");
	found.idle[site] += all - there;
	outermost = all;
	return 0;
}

static void enter(uint32_t site, uint32_t lanes, uint32_t flags)
{
	cr_assert_eq(ct_branches_enter(&warp, site, lanes, flags, &listener), 0);
	outermost = (uint32_t)__builtin_popcount(lanes);
	cr_assert_eq(ct_branches_idle_each(&warp.idle, lanes, add_idle, &found), 0);
	cr_assert_leq(outermost, 32);
}

static void clean(void)
{
	ct_branches_warp_fini(&warp);
	memset(&warp, 0, sizeof(warp));
	memset(&found, 0, sizeof(found));
}

TestSuite(branches_warp, .fini = clean);

/* if (lane < 16) A; B; return */
Test(branches_warp, parts_at_an_if)
{
	enter(1, ALL, CT_SITE_ENTRY | CT_SITE_BRANCH);
	enter(2, 0xffff, 0);
	cr_assert_eq(found.branches[1], 0, "half of the lanes have gone nowhere yet");
	enter(3, ALL, CT_SITE_RETURN);
	cr_assert_eq(found.branches[1], 1);
	cr_assert_eq(found.divergent[1], 1);
	cr_assert_eq(found.lanes[1], 32);
	cr_assert(ct_branches_is_over(&warp));
}

/* All go to one block, if not at once. */
Test(branches_warp, does_not_part_where_lanes_come_one_after_another)
{
	enter(1, ALL, CT_SITE_ENTRY | CT_SITE_BRANCH);
	enter(2, 0xff, 0);
	enter(2, 0xffffff00, 0);
	enter(3, ALL, CT_SITE_RETURN);
	cr_assert_eq(found.branches[1], 1);
	cr_assert_eq(found.divergent[1], 0);
}

/* Behind the branch's block a function is called, which itself branches, before the branch. */
Test(branches_warp, leaves_branches_of_callers_open)
{
	enter(1, ALL, CT_SITE_ENTRY | CT_SITE_BRANCH);
	enter(4, ALL, CT_SITE_ENTRY | CT_SITE_BRANCH);
	enter(5, 0xf, CT_SITE_RETURN);
	enter(6, ~0xfu, CT_SITE_RETURN);
	cr_assert_eq(found.branches[4], 1);
	cr_assert_eq(found.divergent[4], 1);
	cr_assert_eq(found.branches[1], 0);
	enter(2, ALL, CT_SITE_RETURN);
	cr_assert_eq(found.branches[1], 1);
	cr_assert_eq(found.divergent[1], 0);
	cr_assert(ct_branches_is_over(&warp));
}

/* Both ways of a branch, a branch within one of them whose ways take turns with the other, and what
 * all execute. */
Test(branches_warp, puts_idle_lanes_down_to_the_branch_that_left_them)
{
	enter(1, ALL, CT_SITE_ENTRY | CT_SITE_BRANCH);
	enter(2, 0xffff, CT_SITE_BRANCH); /* 16 idle for 1 */
	enter(3, 0xff, 0);                /* 8 for 2, 16 for 1 */
	enter(6, 0xffff0000, 0);          /* 16 for 1 */
	enter(4, 0xff00, 0);              /* as 3 */
	enter(5, 0xffff, 0);              /* 16 for 1: met behind 2 */
	cr_assert_eq(found.idle[1], 5 * 16);
	cr_assert_eq(found.idle[2], 2 * 8);
	enter(7, ALL, CT_SITE_RETURN);
	cr_assert_eq(found.idle[1], 5 * 16);
	cr_assert_eq(found.parted[1], 1);
	cr_assert_eq(found.parted[2], 1);
	cr_assert(ct_branches_is_over(&warp));
}

/* Lanes leave a loop at different turns, and it is entered again: the warp has parted there once.
 */
Test(branches_warp, puts_idle_lanes_down_to_the_loop_that_others_have_left)
{
	enter(1, ALL, CT_SITE_ENTRY);
	for (int round = 0; round < 2; round++) {
		enter(2, ALL, CT_SITE_BRANCH);
		enter(2, ALL, CT_SITE_BRANCH);
		enter(2, 0xff, CT_SITE_BRANCH); /* 24 idle */
		enter(2, 0x1, CT_SITE_BRANCH);  /* 31 */
		enter(3, 0x1, 0);               /* 31 */
		enter(3, 0xfffffffe, 0);        /* 1 */
		enter(4, ALL, 0);
	}
	enter(5, ALL, CT_SITE_RETURN);
	cr_assert_eq(found.idle[2], 2 * (24 + 31 + 31 + 1));
	cr_assert_eq(found.parted[2], 1);
}

/* Half of the lanes end with the kernel in a function. */
Test(branches_warp, counts_lanes_that_go_on)
{
	enter(1, ALL, CT_SITE_ENTRY | CT_SITE_BRANCH);
	enter(2, 0xffff, 0);
	cr_assert_eq(ct_branches_end(&warp, &listener), 0);
	cr_assert_eq(found.branches[1], 1);
	cr_assert_eq(found.lanes[1], 16);
}

/* Random programs: sites 0 and 1 are entries (1 branches), 2 returns, 3 plain, 4 to 7 branches,
 * 8 to 11 targets, 12 to 15 targets that branch. */
enum { ENTRY, ENTRY_BRANCH, RETURN, PLAIN, BRANCH, TARGET = 8, TARGET_BRANCH = 12 };

static uint32_t flags_of(uint32_t site)
{
	return site == ENTRY                     ? CT_SITE_ENTRY
	       : site == ENTRY_BRANCH            ? CT_SITE_ENTRY | CT_SITE_BRANCH
	       : site == RETURN                  ? CT_SITE_RETURN
	       : site >= TARGET_BRANCH           ? CT_SITE_BRANCH
	       : site >= BRANCH && site < TARGET ? CT_SITE_BRANCH
						 : 0;
}

static void call(uint32_t lanes, uint32_t depth);

/* Lanes leave the block of a branch, which may call functions first, each for a random target; then
 * they meet again, perhaps. */
static void leave(uint32_t site, uint32_t lanes, uint32_t depth)
{
	uint32_t ways = 1 + (uint32_t)trace_random_below(3), group[3] = {0}, targets = 0;
	bool goes_back = false;

	if (depth < 5 && trace_random_below(8) == 0)
		call(lanes, depth + 1);
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		group[trace_random_below(ways)] |= rest & -rest;
	for (uint32_t w = 0; w < 3; w++)
		targets += group[w] != 0;
	expected.branches[site]++;
	expected.divergent[site] += targets > 1;
	expected.lanes[site] += (uint64_t)__builtin_popcount(lanes);
	for (uint32_t w = 0; w < 3; w++) {
		uint32_t target = (trace_random_below(6) ? TARGET : TARGET_BRANCH) + w;
		uint32_t first =
		    trace_random_below(4) ? group[w] : group[w] & (uint32_t)trace_random();

		goes_back |= group[w] && target <= site;
		/* In one or in two parts. */
		for (uint32_t part = 0; part < 2; part++) {
			uint32_t own = part ? group[w] & ~first : first;

			if (own)
				enter(target, own, flags_of(target));
			if (own && target >= TARGET_BRANCH)
				leave(target, own, depth);
		}
	}
	expected.back[site] += goes_back;
}

static void step(uint32_t site, uint32_t lanes, uint32_t depth)
{
	enter(site, lanes, flags_of(site));
	if (flags_of(site) & CT_SITE_BRANCH)
		leave(site, lanes, depth);
}

static void call(uint32_t lanes, uint32_t depth)
{
	uint32_t steps = (uint32_t)trace_random_below(6), later;

	step((uint32_t)trace_random_below(2), lanes, depth);
	for (uint32_t i = 0; i < steps; i++) {
		if (depth < 5 && trace_random_below(4) == 0)
			call(lanes, depth + 1);
		step(PLAIN + (uint32_t)trace_random_below(5), lanes, depth);
	}
	later = trace_random_below(3) ? 0 : lanes & (uint32_t)trace_random();
	if (lanes & ~later)
		enter(RETURN, lanes & ~later, CT_SITE_RETURN);
	if (later) {
		step(PLAIN, later, depth);
		enter(RETURN, later, CT_SITE_RETURN);
	}
}

Test(branches_warp, counts_what_random_programs_do)
{
	uint64_t divergent = 0, back = 0;

	trace_random_state = 11;
	for (uint32_t run = 0; run < 3000; run++) {
		uint32_t lanes = trace_random_below(2) ? ALL : (uint32_t)trace_random() | 1;

		call(lanes, 0);
		cr_assert(ct_branches_is_over(&warp));
		cr_assert_eq(warp.count, 0, "branches are left open");
		cr_assert_eq(memcmp(&found, &expected, offsetof(struct counts, parted)), 0,
			     "run %u", run);
	}
	for (uint32_t s = 0; s < SITES; s++) {
		divergent += found.divergent[s];
		back += found.back[s];
	}
	cr_assert_gt(divergent, 10000);
	cr_assert_gt(back, 1000);
}
