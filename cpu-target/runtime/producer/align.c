/* SPDX-License-Identifier: Apache-2.0 */
/* The alignment rule: which lanes' entries make up the next warp-level record. */
#include "cpu-target/runtime/producer/align.h"
#include <stdlib.h>

enum future { RETURNS, LEAVES, UNKNOWN };

struct place {
	uint32_t key;
	uint32_t path;
};

void ct_align_reset(struct ct_align_warp *warp)
{
	for (unsigned i = 0; i < CT_WARP_LANES; i++) {
		warp->first[i] = CT_ALIGN_EMPTY;
		warp->first_path[i] = 0;
		warp->lane[i] = (struct ct_align_lane){0};
		if (warp->values)
			warp->values->count[i] = 0;
	}
	ct_paths_reset(&warp->paths);
}

uint32_t ct_align_path(struct ct_align_warp *warp, unsigned lane, uint32_t tag)
{
	return ct_path_of_tag(&warp->paths, warp->lane[lane].path, tag);
}

int ct_align_push_value(struct ct_align_warp *warp, unsigned lane,
			const struct ct_align_value *value)
{
	const struct ct_align_lane *l = &warp->lane[lane];
	struct ct_align_entry *entry;
	struct ct_align_values *values;

	if (!warp->values)
		warp->values = calloc(1, sizeof(*warp->values));
	values = warp->values;
	if (!values || !l->count || values->count[lane] == CT_ALIGN_VALUES_CAPACITY)
		return -1;
	entry = &warp->queue[lane][(l->taken + l->count - 1) & (CT_ALIGN_CAPACITY - 1)];
	if (CT_ALIGN_VALUES(entry->what) == CT_ALIGN_VALUES_MAX)
		return -1;
	entry->what += CT_ALIGN_ONE_VALUE;
	values->queue[lane][(values->taken[lane] + values->count[lane]++) &
			    (CT_ALIGN_VALUES_CAPACITY - 1)] = *value;
	return 0;
}

static void move_lane(struct ct_align_warp *warp, unsigned lane, uint32_t path)
{
	uint32_t before = warp->lane[lane].path;

	warp->lane[lane].path = path;
	ct_path_release(&warp->paths, before);
}

void ct_align_enter_call(struct ct_align_warp *warp, unsigned lane, uint64_t site)
{
	uint32_t caller = ct_align_path(warp, lane, CT_SITE_TAG(site));

	move_lane(warp, lane, ct_path_enter(&warp->paths, caller, CT_SITE_INDEX(site) << 1));
	ct_path_release(&warp->paths, caller);
}

void ct_align_leave_call(struct ct_align_warp *warp, unsigned lane, uint64_t site)
{
	uint32_t caller =
	    ct_path_caller(&warp->paths, warp->lane[lane].path, CT_SITE_INDEX(site) << 1);

	ct_path_hold(&warp->paths, caller);
	move_lane(warp, lane, caller);
}

/* i-th queued entry of a lane */
static const struct ct_align_entry *queued(const struct ct_align_warp *warp, unsigned lane,
					   uint32_t i)
{
	return &warp->queue[lane][(warp->lane[lane].taken + i) & (CT_ALIGN_CAPACITY - 1)];
}

static struct place place_of(uint64_t what)
{
	return (struct place){CT_ALIGN_KEY(what), CT_ALIGN_PATH(what)};
}

static struct place first_of(const struct ct_align_warp *warp, unsigned lane)
{
	return (struct place){warp->first[lane], warp->first_path[lane]};
}

/* Negative, 0, positive. Without calls keys are all there is to compare. */
static int compare(const struct ct_align_warp *warp, struct place a, struct place b)
{
	if (a.path == b.path)
		return a.key < b.key ? -1 : a.key > b.key;
	return ct_path_compare(&warp->paths, a.path, a.key, b.path, b.key);
}

static struct place smallest_key(const struct ct_align_warp *warp, uint32_t lanes)
{
	struct place smallest = {CT_ALIGN_EMPTY, 0};

	for (unsigned i = 0; i < CT_WARP_LANES; i++) {
		uint32_t key = lanes >> i & 1 ? warp->first[i] : CT_ALIGN_EMPTY;

		smallest.key = key < smallest.key ? key : smallest.key;
	}
	return smallest;
}

/* The first of the first places of these lanes, which have one. */
static struct place first_place(const struct ct_align_warp *warp, uint32_t lanes)
{
	struct place first;

	if (!warp->paths.live)
		return smallest_key(warp, lanes);
	first = first_of(warp, (unsigned)__builtin_ctz(lanes));
	for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) {
		struct place place = first_of(warp, (unsigned)__builtin_ctz(lanes));

		if (compare(warp, place, first) < 0)
			first = place;
	}
	return first;
}

/* All lanes of the warp whose first entry is there. */
static uint32_t lanes_at(const struct ct_align_warp *warp, struct place place)
{
	uint32_t mask = 0;

	for (unsigned i = 0; i < CT_WARP_LANES; i++)
		mask |= (uint32_t)(warp->first[i] == place.key) << i;
	if (warp->paths.live)
		for (unsigned i = 0; i < CT_WARP_LANES; i++)
			mask &= ~((uint32_t)(warp->first_path[i] != place.path) << i);
	return mask;
}

/* Did every one of these lanes reach its place by a jump backwards? */
static int came_back(const struct ct_align_warp *warp, uint32_t lanes, struct place place)
{
	for (; lanes; lanes &= lanes - 1) {
		const struct ct_align_lane *l = &warp->lane[__builtin_ctz(lanes)];

		if (!l->taken || compare(warp, place_of(l->last), place) < 0)
			return 0;
	}
	return 1;
}

/* Where does the lane, now behind `place`, jump back to: exactly to it (it is
 * in that loop), or to something before it? Jumps to behind it belong to inner
 * loops. */
static enum future future_of(const struct ct_align_warp *warp, unsigned lane, struct place place)
{
	struct place previous = first_of(warp, lane);

	for (uint32_t i = 1; i < warp->lane[lane].count; i++) {
		struct place next = place_of(queued(warp, lane, i)->what);
		int to_place = compare(warp, next, place);

		if (to_place <= 0 && compare(warp, next, previous) <= 0)
			return to_place == 0 ? RETURNS : LEAVES;
		previous = next;
	}
	return UNKNOWN;
}

/* Returns those of the lanes (all behind place) that are an iteration behind. Sets *wait if that
 * cannot be known before a running lane goes on. */
static uint32_t lanes_behind(const struct ct_align_warp *warp, uint32_t lanes, struct place place,
			     uint32_t running, int *wait)
{
	uint32_t behind = 0;

	for (; lanes; lanes &= lanes - 1) {
		unsigned lane = (unsigned)__builtin_ctz(lanes);
		enum future future = future_of(warp, lane, place);

		if (future == RETURNS)
			behind |= 1u << lane;
		else if (future == UNKNOWN && (running >> lane & 1) &&
			 !ct_align_is_full(warp, lane))
			*wait = 1;
	}
	return behind;
}

/* The lanes of the next group, 0 if a running lane must go on first. */
static uint32_t choose(const struct ct_align_warp *warp, uint32_t lanes, uint32_t running)
{
	for (;;) {
		struct place place = first_place(warp, lanes);
		uint32_t group = lanes_at(warp, place) & lanes;
		uint32_t others = lanes & ~group;
		int wait = 0;

		if (!others || !came_back(warp, group, place))
			return group;
		others = lanes_behind(warp, others, place, running, &wait);
		if (wait)
			return 0;
		if (!others)
			return group;
		lanes = others;
	}
}

static void take_values(struct ct_align_warp *warp, unsigned lane, struct ct_align_group *group)
{
	struct ct_align_values *values = warp->values;

	for (uint32_t i = 0; i < group->values; i++) {
		const struct ct_align_value *value =
		    &values->queue[lane][values->taken[lane]++ & (CT_ALIGN_VALUES_CAPACITY - 1)];

		values->count[lane]--;
		group->value[i].part = value->part;
		group->value[i].bytes = value->bytes;
		group->value[i].low[lane] = value->low;
		group->value[i].high[lane] = value->high;
	}
}

/* Takes a lane's first entry, `what`, out of its queue. */
static void take_first(struct ct_align_warp *warp, unsigned lane, uint64_t what)
{
	struct ct_align_lane *l = &warp->lane[lane];

	/* The reference to its path becomes that of l->last. */
	ct_path_release(&warp->paths, CT_ALIGN_PATH(l->last));
	l->last = what;
	l->taken++;
	if (--l->count) {
		struct place first = place_of(queued(warp, lane, 0)->what);

		warp->first[lane] = first.key;
		warp->first_path[lane] = first.path;
	} else {
		warp->first[lane] = CT_ALIGN_EMPTY;
		warp->first_path[lane] = 0;
	}
}

static void take(struct ct_align_warp *warp, uint32_t lanes, struct ct_align_group *group)
{
	const struct ct_align_entry first = *queued(warp, (unsigned)__builtin_ctz(lanes), 0);
	uint64_t tag = ct_path_tag(&warp->paths, CT_ALIGN_PATH(first.what));
	uint32_t mask = 0;

	group->site = tag << 32 | CT_ALIGN_KEY(first.what) >> 1;
	group->bytes = (uint32_t)(first.where >> 48);
	group->kind = CT_ALIGN_KIND(first.what);
	group->phase = CT_ALIGN_KEY(first.what) & 1;
	group->values = CT_ALIGN_VALUES(first.what);
	for (; lanes; lanes &= lanes - 1) {
		unsigned lane = (unsigned)__builtin_ctz(lanes);
		const struct ct_align_entry *entry = queued(warp, lane, 0);

		if (entry->what != first.what || (entry->where ^ first.where) >> 48)
			continue;
		mask |= 1u << lane;
		group->address[lane] = entry->where & CT_ADDRESS_MASK;
		if (group->values)
			take_values(warp, lane, group);
		take_first(warp, lane, first.what);
	}
	group->mask = mask;
}

int ct_align_next(struct ct_align_warp *warp, uint32_t running, struct ct_align_group *group)
{
	uint32_t lanes = 0;

	for (unsigned i = 0; i < CT_WARP_LANES; i++)
		lanes |= (uint32_t)(warp->first[i] != CT_ALIGN_EMPTY) << i;
	if (!lanes || (running & ~lanes))
		return 0;
	lanes = choose(warp, lanes, running);
	if (!lanes)
		return 0;
	take(warp, lanes, group);
	return 1;
}
