/* SPDX-License-Identifier: Apache-2.0 */
/* The alignment rule: which lanes' accesses make up the next warp-level access. */
#include "align.h"

enum future { RETURNS, LEAVES, UNKNOWN };

void ct_align_reset(struct ct_align_warp *warp)
{
	for (unsigned i = 0; i < CT_WARP_LANES; i++) {
		warp->first[i] = CT_ALIGN_EMPTY;
		warp->lane[i] = (struct ct_align_lane){0};
	}
}

/* i-th queued access of a lane */
static const struct ct_align_access *queued(const struct ct_align_warp *warp, unsigned lane,
					    uint32_t i)
{
	return &warp->queue[lane][(warp->lane[lane].taken + i) & (CT_ALIGN_CAPACITY - 1)];
}

/* The smallest first site of these lanes; CT_ALIGN_EMPTY if they have none. */
static uint32_t smallest_site(const struct ct_align_warp *warp, uint32_t lanes)
{
	uint32_t smallest = CT_ALIGN_EMPTY;

	for (unsigned i = 0; i < CT_WARP_LANES; i++) {
		uint32_t site = lanes >> i & 1 ? warp->first[i] : CT_ALIGN_EMPTY;

		smallest = site < smallest ? site : smallest;
	}
	return smallest;
}

/* All lanes of the warp whose first site it is. */
static uint32_t lanes_at(const struct ct_align_warp *warp, uint32_t site)
{
	uint32_t mask = 0;

	for (unsigned i = 0; i < CT_WARP_LANES; i++)
		mask |= (uint32_t)(warp->first[i] == site) << i;
	return mask;
}

/* Did every one of these lanes reach its site by a jump backwards? */
static int came_back(const struct ct_align_warp *warp, uint32_t lanes, uint32_t site)
{
	for (; lanes; lanes &= lanes - 1) {
		const struct ct_align_lane *l = &warp->lane[__builtin_ctz(lanes)];

		if (!l->taken || l->last < site)
			return 0;
	}
	return 1;
}

/* Where does the lane, now behind `site`, jump back to: exactly to site (it is
 * in that loop), or to something before it? Jumps to behind site belong to
 * inner loops. */
static enum future future_of(const struct ct_align_warp *warp, unsigned lane, uint32_t site)
{
	uint32_t previous = warp->first[lane];

	for (uint32_t i = 1; i < warp->lane[lane].count; i++) {
		uint32_t next = queued(warp, lane, i)->site;

		if (next <= previous && next <= site)
			return next == site ? RETURNS : LEAVES;
		previous = next;
	}
	return UNKNOWN;
}

/* Of lanes (all behind site), those an iteration behind. Sets *wait if that
 * cannot be told before a running lane goes on. */
static uint32_t lanes_behind(const struct ct_align_warp *warp, uint32_t lanes, uint32_t site,
			     uint32_t running, int *wait)
{
	uint32_t behind = 0;

	for (; lanes; lanes &= lanes - 1) {
		unsigned lane = (unsigned)__builtin_ctz(lanes);
		enum future future = future_of(warp, lane, site);

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
		uint32_t site = smallest_site(warp, lanes);
		uint32_t group = lanes_at(warp, site) & lanes;
		uint32_t others = lanes & ~group;
		int wait = 0;

		if (!others || !came_back(warp, group, site))
			return group;
		others = lanes_behind(warp, others, site, running, &wait);
		if (wait)
			return 0;
		if (!others)
			return group;
		lanes = others;
	}
}

static void take(struct ct_align_warp *warp, uint32_t lanes, struct ct_align_group *group)
{
	const struct ct_align_access *first = queued(warp, (unsigned)__builtin_ctz(lanes), 0);

	group->site = first->site;
	group->bytes = first->bytes;
	group->mask = 0;
	for (; lanes; lanes &= lanes - 1) {
		unsigned lane = (unsigned)__builtin_ctz(lanes);
		const struct ct_align_access *access = queued(warp, lane, 0);
		struct ct_align_lane *l = &warp->lane[lane];

		if (access->bytes != group->bytes)
			continue;
		group->mask |= 1u << lane;
		group->address[lane] = access->address;
		l->last = group->site;
		l->taken++;
		l->count--;
		warp->first[lane] = l->count ? queued(warp, lane, 0)->site : CT_ALIGN_EMPTY;
	}
}

int ct_align_next(struct ct_align_warp *warp, uint32_t running, struct ct_align_group *group)
{
	uint32_t lanes = ~lanes_at(warp, CT_ALIGN_EMPTY);

	if (!lanes || (running & ~lanes))
		return 0;
	lanes = choose(warp, lanes, running);
	if (!lanes)
		return 0;
	take(warp, lanes, group);
	return 1;
}
