/* SPDX-License-Identifier: Apache-2.0 */
/* Branches that lanes of a warp have parted at. */
#include "postproc/analysis/branches/idle.h"
#include "base/array.h"

#include <stdlib.h>

#define NONE CT_BRANCHES_NONE

/* The innermost parting of a lane. */
static uint32_t parting_of(const struct ct_branches_idle *idle, uint32_t lanes)
{
	uint32_t lane = lanes & -lanes;

	for (size_t i = 0; i < idle->count; i++)
		if (idle->list[i].at & lane)
			return (uint32_t)i;
	return NONE;
}

/* Frees places of partings that no lane is behind any more. */
static void release(struct ct_branches_idle *idle, uint32_t at)
{
	while (at != NONE && !idle->list[at].at && !idle->list[at].children) {
		struct ct_branches_parting *parting = &idle->list[at];

		parting->lanes = 0;
		at = parting->outer;
		if (at != NONE)
			idle->list[at].children--;
	}
	while (idle->count && !idle->list[idle->count - 1].lanes)
		idle->count--;
}

static void move_lanes(struct ct_branches_idle *idle, uint32_t lanes, uint32_t to)
{
	if (to != NONE)
		idle->list[to].at |= lanes;
	for (uint32_t i = 0; i < idle->count; i++) {
		if (i == to || !(idle->list[i].at & lanes))
			continue;
		idle->list[i].at &= ~lanes;
		release(idle, i);
	}
}

static bool is_behind(const struct ct_branches_parting *parting, uint32_t lanes)
{
	return lanes != parting->lanes && !(lanes & ~parting->lanes);
}

void ct_branches_idle_meet(struct ct_branches_idle *idle, uint32_t lanes)
{
	uint32_t at = parting_of(idle, lanes);

	while (at != NONE && !is_behind(&idle->list[at], lanes))
		at = idle->list[at].outer;
	move_lanes(idle, lanes, at);
}

static int note_site(struct ct_branches_idle *idle, uint32_t site, bool *is_first)
{
	int err;

	*is_first = false;
	for (size_t i = 0; i < idle->parted_count; i++)
		if (idle->parted[i] == site)
			return 0;
	err = ct_array_reserve(&idle->parted, &idle->parted_room, idle->parted_count + 1,
			       sizeof(*idle->parted));
	if (err < 0)
		return err;
	idle->parted[idle->parted_count++] = site;
	*is_first = true;
	return 0;
}

/* A free place; the list may move. */
static int find_place(struct ct_branches_idle *idle, uint32_t *place)
{
	size_t at = 0;
	int err;

	while (at < idle->count && idle->list[at].lanes)
		at++;
	*place = (uint32_t)at;
	if (at < idle->count)
		return 0;
	err = ct_array_reserve(&idle->list, &idle->room, at + 1, sizeof(*idle->list));
	if (err == 0)
		idle->count++;
	return err;
}

int ct_branches_idle_part(struct ct_branches_idle *idle, uint32_t site, uint32_t lanes,
			  bool *is_first)
{
	uint32_t outer, at;
	int err = note_site(idle, site, is_first);

	/* They may have come from a function apart, and were together at the branch. */
	ct_branches_idle_meet(idle, lanes);
	outer = parting_of(idle, lanes);
	if (err == 0)
		err = find_place(idle, &at);
	if (err < 0)
		return err;
	idle->list[at] = (struct ct_branches_parting){.site = site, .lanes = lanes, .outer = outer};
	if (outer != NONE)
		idle->list[outer].children++;
	move_lanes(idle, lanes, at);
	return 0;
}

int ct_branches_idle_each(const struct ct_branches_idle *idle, uint32_t lanes,
			  int (*tell)(void *user, uint32_t site, uint32_t all, uint32_t there),
			  void *user)
{
	uint32_t there = (uint32_t)__builtin_popcount(lanes);
	int err = 0;

	for (uint32_t at = parting_of(idle, lanes); at != NONE && err == 0;
	     at = idle->list[at].outer) {
		uint32_t all = (uint32_t)__builtin_popcount(idle->list[at].lanes);

		err = tell(user, idle->list[at].site, all, there);
		there = all;
	}
	return err;
}

void ct_branches_idle_fini(struct ct_branches_idle *idle)
{
	free(idle->list);
	free(idle->parted);
	*idle = (struct ct_branches_idle){.count = 0};
}
