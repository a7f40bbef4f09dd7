/* SPDX-License-Identifier: Apache-2.0 */
/* Append one record of a group of lanes: the warp's turn, room, the words, the cursor. */
#ifndef CT_DEVICE_RT_APPEND_H
#define CT_DEVICE_RT_APPEND_H

#include "device-rt/slot.cuh"

/* The lanes of a group agree on this, and each has its place in it. */
struct ct_group {
	uint32_t mask;
	uint32_t lane;
	uint32_t leader; /* lowest active lane */
	uint32_t rank;   /* among the active lanes */
};

CT_INLINE void ct_group_init(struct ct_group *g, uint32_t mask)
{
	g->mask = mask;
	g->lane = ct_lane();
	g->leader = __ffs(mask) - 1;
	g->rank = __popc(mask & ((1u << g->lane) - 1));
}

CT_INLINE uint64_t ct_from_lane(const struct ct_group *g, uint64_t value, uint32_t lane)
{
	return __shfl_sync(g->mask, value, lane);
}

/* The lanes of mask for which it holds. Others may run beside them: hence the last &. */
CT_INLINE uint32_t ct_lanes_where(uint32_t mask, bool holds)
{
	return __ballot_sync(mask, holds) & mask;
}

/* The mode of one lane: its state may be CT_STATE_OFF though that of the warp is not. */
CT_INLINE uint32_t ct_mode(uint32_t warp)
{
	return warp == CT_STATE_OFF ? (uint32_t)CT_MODE_OFF : ct_shared_load(CT_AT(warp, mode));
}

/* Whether anything is done with what this lane tells. */
CT_INLINE bool ct_is_on(uint32_t warp)
{
	return ct_mode(warp) != CT_MODE_OFF;
}

/* Whether a lane that is on counts. */
CT_INLINE bool ct_is_counting(uint32_t warp)
{
	return ct_shared_load(CT_AT(warp, mode)) == CT_MODE_COUNT;
}

/* The lanes of mask that record or count, to these; 0 to the others. */
CT_INLINE uint32_t ct_active(uint32_t warp, uint32_t mask)
{
	uint32_t mode = ct_mode(warp);
	bool is_on = mode == CT_MODE_RECORD || mode == CT_MODE_COUNT;

	mask = ct_lanes_where(mask, is_on);
	return is_on ? mask : 0;
}

/*
 * Every lane of the group calls write(at) with the address of the record, which
 * returns its bytes, need at most. groups: bits that must be in force there
 * (warp.cuh), 0 for a record of no group; returns false, with nothing written,
 * if they are not.
 */
template <typename Write>
CT_INLINE bool ct_append(uint32_t warp, const struct ct_group *g, uint32_t groups, uint32_t need,
			 Write write)
{
	uint32_t ticket = ct_ticket(warp, g->mask, g->lane, g->leader), bytes;
	bool done = false, in_force = true;
	uint64_t at;

	while (!done) {
		if (!ct_is_turn(warp, g->mask, g->leader, ticket)) {
			ct_warp_yield(warp);
			continue;
		}
		at = ct_reserve(warp, g->mask, need);
		if (at)
			in_force = (ct_shared_load(CT_AT(warp, groups)) & groups) == groups;
		if (at && in_force) {
			bytes = write(at);
			__syncwarp(g->mask);
			if (g->lane == g->leader)
				ct_shared_store64(CT_AT(warp, cursor), at + bytes);
		}
		ct_turn_end(warp, g->mask, g->lane, g->leader, ticket);
		done = true;
	}
	return in_force;
}

/* Bytes of the site word before a record: none if the site fits the record's field. */
CT_INLINE uint32_t ct_site_bytes(uint64_t site)
{
	return site < CT_SITE_EXTENDED ? 0 : 8;
}

/* The site word, if there is one, and the first word of the record, whose site
 * field is still empty. Returns the address of the second. */
CT_INLINE uint64_t ct_store_head(const struct ct_group *g, uint64_t at, uint64_t site,
				 uint64_t head)
{
	uint32_t field = site < CT_SITE_EXTENDED ? (uint32_t)site : CT_SITE_EXTENDED;

	if (field == CT_SITE_EXTENDED) {
		if (g->lane == g->leader)
			ct_store64(at, (uint64_t)CT_REC_SITE << CT_RECORD_KIND_SHIFT | site);
		at += 8;
	}
	if (g->lane == g->leader)
		ct_store64(at, head | (uint64_t)field << CT_SITE_SHIFT);
	return at + 8;
}

/* bytes (1..16) of the number high:low, in stores as wide as their alignment allows. */
CT_INLINE void ct_store_bytes(uint64_t at, uint32_t bytes, uint64_t low, uint64_t high)
{
	uint32_t width = bytes & (0u - bytes);

	width = width > 8 ? 8 : width;
#pragma unroll 1
	for (uint64_t end = at + bytes; at < end; at += width) {
		if (width == 8) {
			ct_store64(at, low);
			low = high;
			continue;
		}
		if (width == 4)
			ct_store32(at, (uint32_t)low);
		else if (width == 2)
			ct_store16(at, (uint32_t)low);
		else
			ct_store8(at, (uint32_t)low);
		low = low >> 8 * width | high << (64 - 8 * width);
		high >>= 8 * width;
	}
}

/* layout of ct_write: bytes 0..16 that a lane adds after the words, and */
#define CT_WRITE_LEADER 32u /* only the leader adds them */
#define CT_WRITE_MASK 64u   /* the second word is the mask */

/* Any record whose lanes know what to add, in lane order: values, events, ranges. */
CT_OUT_OF_LINE void ct_write(uint32_t warp, uint32_t mask, uint64_t site, uint64_t head,
			     uint32_t layout, uint64_t low, uint64_t high)
{
	uint32_t bytes = layout & 31, adding = layout & CT_WRITE_LEADER ? 1 : __popc(mask);
	uint32_t payload = (bytes * adding + 7) & ~7u, words = layout & CT_WRITE_MASK ? 2 : 1;
	uint32_t need = ct_site_bytes(site) + 8 * words + payload;
	struct ct_group g;

	ct_group_init(&g, mask);
	ct_append(warp, &g, 0, need, [&](uint64_t at) {
		at = ct_store_head(&g, at, site, head);
		if (words == 2) {
			if (g.lane == g.leader)
				ct_store64(at, mask);
			at += 8;
		}
		/* The padding, before what the lanes add overwrites the rest of its word. */
		if (bytes * adding != payload) {
			if (g.lane == g.leader)
				ct_store64(at + payload - 8, 0);
			__syncwarp(mask);
		}
		if (g.rank < adding)
			ct_store_bytes(at + g.rank * bytes, bytes, low, high);
		return need;
	});
}

/* An access of so many bytes, whatever its site says. */
CT_INLINE void ct_write_range(uint32_t warp, uint32_t mask, uint64_t site, uint64_t address,
			      uint64_t bytes)
{
	ct_write(warp, mask, site, (uint64_t)CT_REC_EXTENDED << CT_RECORD_KIND_SHIFT,
		 16 | CT_WRITE_MASK, address, bytes);
}

#endif
