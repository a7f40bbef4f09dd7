/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of problems (seed 000, 5.2), with figures by hand. */
#include "postproc/analysis/ffm/groups.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MOST 32
#define U CT_FFM_UNNECESSARY
#define M CT_FFM_MISPLACED
#define T CT_FFM_TRANSFER

static struct ct_ffm_step step[MOST];
static uint32_t key[MOST];
static struct ct_ffm_gap gap[MOST];
static struct ct_ffm_graph graph;
static struct ct_ffm_streams streams;
static size_t first_before[1];
static uint64_t now;

/* Adds a wait, or a call that does not wait. */
static void add(uint32_t thread, uint64_t work, uint64_t launch, uint64_t wait, bool waits,
		uint32_t problem, uint32_t where)
{
	if (graph.steps && step[graph.steps - 1].thread != thread)
		now = 0;
	key[graph.steps] = where;
	step[graph.steps++] = (struct ct_ffm_step){.begin_ns = now,
						   .work_ns = work,
						   .launch_ns = launch,
						   .wait_ns = wait,
						   .first_use_ns = 60,
						   .thread = thread,
						   .scope = waits ? CT_FFM_DEVICE : CT_FFM_NOTHING,
						   .problem = (uint8_t)problem};
	now += work + launch + wait;
	if (now > graph.end_ns)
		graph.end_ns = now;
}

/* Two rounds of the sequence (0, 1); (2), a transfer that does not wait, with the misplaced wait
 * behind it; (3); (0), which ends with the thread; and in another thread (0, 1). */
static void make(void)
{
	graph = (struct ct_ffm_graph){.step = step, .first_before = first_before};
	now = 0;
	for (int round = 0; round < 2; round++) {
		add(0, 0, 0, 2, true, U, 0);
		add(0, 7, 1, 0, false, 0, 9);
		add(0, 0, 0, 10, true, U, 1);
		add(0, 1, 0, 5, true, 0, 9);
	}
	add(0, 0, 5, 0, false, T, 2);
	add(0, 0, 0, 100, true, M, 3);
	add(0, 0, 0, 3, true, U, 0);
	add(1, 4, 0, 20, true, U, 0);
	add(1, 6, 0, 30, true, U, 1);
	add(1, 50, 0, 0, true, 0, 9);
	cr_assert_eq(ct_ffm_streams_init(&streams, &graph), 0);
	cr_assert_eq(ct_ffm_gaps(&graph, &streams, gap), 0);
}

static void end(void)
{
	ct_ffm_streams_fini(&streams);
}

static const struct ct_ffm_group *find(const struct ct_ffm_groups *groups, uint32_t of,
				       size_t entries)
{
	for (size_t i = 0; i < groups->count; i++)
		if (groups->group[i].key == of && groups->group[i].entries == entries)
			return &groups->group[i];
	cr_assert_fail("no group of %zu entries from key %u", entries, of);
	return NULL;
}

static void expect(const struct ct_ffm_group *group, size_t times, uint64_t wait, uint64_t expected)
{
	cr_expect_eq(group->times, times, "key %u: %zu times", group->key, group->times);
	cr_expect_eq(group->wait_ns, wait, "key %u: %lu", group->key,
		     (unsigned long)group->wait_ns);
	cr_expect_eq(group->expected_ns, expected, "key %u: %lu", group->key,
		     (unsigned long)group->expected_ns);
}

/*
 * Key 0: 2 ns until the wait of the other thread, twice; nothing behind the last one; in the other
 * thread 2 of 20 until the second round's, which gets 18 of it and saves no more for that. Key 1: 1
 * of 10, twice; 30 of 50. The wait of key 3 moves by 60 of 100.
 */
Test(groups, by_key, .init = make, .fini = end)
{
	struct ct_ffm_groups groups;

	cr_assert_eq(ct_ffm_groups_by_key(&groups, &graph, gap, key, 10), 0);
	cr_assert_eq(groups.count, 4);
	expect(find(&groups, 0, 1), 4, 2 + 2 + 3 + 20, 2 + 2 + 0 + 2);
	expect(find(&groups, 1, 1), 3, 10 + 10 + 30, 1 + 1 + 30);
	expect(find(&groups, 2, 1), 1, 0, 5);
	expect(find(&groups, 3, 1), 1, 100, 60);
	cr_expect_eq(groups.group[0].key, 3, "the most first");
	cr_expect_eq(groups.group[3].key, 2);
	ct_ffm_groups_fini(&groups);
}

/* The rest of the other thread's first wait goes to the second round's, and from there to its
 * second, which saves 48 of 50. */
Test(groups, sequences, .init = make, .fini = end)
{
	struct ct_ffm_groups groups;
	const struct ct_ffm_group *both;
	struct ct_ffm_group part;

	cr_assert_eq(ct_ffm_groups_of_sequences(&groups, &graph, gap, key), 0);
	cr_assert_eq(groups.count, 4);
	both = find(&groups, 0, 2);
	expect(both, 3, 2 + 10 + 2 + 10 + 20 + 30, (2 + 1) + (2 + 1) + (2 + 48));
	expect(find(&groups, 2, 1), 1, 0, 5);
	expect(find(&groups, 3, 1), 1, 100, 60);
	expect(find(&groups, 0, 1), 1, 3, 0);
	cr_assert_eq(ct_ffm_subsequence(both, 1, 1, &graph, gap, &part), 0);
	cr_expect_eq(part.expected_ns, 1 + 1 + 30);
	free(part.step);
	cr_assert_eq(ct_ffm_subsequence(both, 0, 1, &graph, gap, &part), 0);
	cr_expect_eq(part.expected_ns, both->expected_ns);
	free(part.step);
	cr_expect_lt(ct_ffm_subsequence(both, 1, 2, &graph, gap, &part), 0);
	ct_ffm_groups_fini(&groups);
}

/* Nothing is known to run on the device: whatever waited does so as long in a replay, but for what
 * is removed. */
Test(groups, replayed, .init = make, .fini = end)
{
	struct ct_ffm_groups groups;

	cr_assert_eq(ct_ffm_groups_by_key(&groups, &graph, gap, key, 10), 0);
	cr_assert_eq(ct_ffm_groups_replay(&groups, 4, &graph, &streams), 0);
	cr_expect_eq(find(&groups, 1, 1)->replayed_ns, 30, "the other thread");
	cr_expect_eq(find(&groups, 0, 1)->replayed_ns, 20);
	cr_expect_eq(find(&groups, 2, 1)->replayed_ns, 5);
	ct_ffm_groups_fini(&groups);
}
