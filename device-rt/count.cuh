/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier counts: what hooks do in mode CT_MODE_COUNT (counts.h).
 *
 * Only weak loads and `red`, which returns nothing: ptxas gives no YIELD to a
 * loop that leads to one, as it does to `atom`, even if nothing uses what that
 * returns, and to loads that are strong or go past the first cache (seen in the
 * machine code for sm_90; warp.cuh says why it matters).
 */
#ifndef CT_DEVICE_RT_COUNT_H
#define CT_DEVICE_RT_COUNT_H

#include "device-rt/count_touch.cuh"
#include <cudatrace/summary.h>

/* In place of struct ct_warp, in the same shared memory: the inlined path of accesses
 * finds no room, and leads here. */
struct ct_count_warp {
	uint64_t cursor, end; /* 0 */
	uint64_t area;
	uint64_t row;   /* of counters, this warp's; like `tables`, from site 0 of the unit on */
	uint32_t first; /* number of site 0 of the kernel's unit in the area */
	uint32_t sites; /* of that unit */
	uint32_t arch;  /* of that unit */
	uint32_t none;  /* number of sites of no known unit */
	/* Tier counts: uint32_t[], operations; tier values: struct ct_counts_summary[], this
	 * warp's row. */
	uint64_t tables;
	uint64_t objects; /* of the area; tier counts reads this and the one before as a pair */
	uint64_t bits;    /* of the area */
};

static_assert(sizeof(struct ct_count_warp) <= offsetof(struct ct_warp, mode),
	      "states share memory");

#define CT_COUNT_AT(state, field) ((state) + (uint32_t)offsetof(struct ct_count_warp, field))

/* At the entry of a kernel launched with CT_LAUNCH_COUNTS, by one lane or by several: all write the
 * same, and each word once. flags: of the launch. */
CT_OUT_OF_LINE void ct_count_begin(uint32_t warp, uint64_t context, uint32_t flags)
{
	uint64_t area = ct_load64(CT_CONTEXT(context, counts) + 8ull * CT_COUNTS_AREA_OF(flags));
	uint64_t unit = CT_COUNTS_AT(area, struct ct_counts_area, units) +
			sizeof(struct ct_counts_unit) * CT_COUNTS_UNIT_OF(flags);
	uint32_t none = CT_COUNTS_AT(area, struct ct_counts_area, site_count), sm = ct_sm();
	uint32_t first = CT_COUNTS_AT(unit, struct ct_counts_unit, first);
	uint64_t row = CT_COUNTS_AT(area, struct ct_counts_area, sites), tables, objects;
	bool is_values = flags & CT_LAUNCH_VALUES;

	row += sizeof(struct ct_counts_site) * (first + (none + 1ull) * (sm % CT_COUNTS_REPLICAS));
	ct_load64_pair(area + offsetof(struct ct_counts_area, operations), &tables, &objects);
	tables += 4ull * first;
	if (is_values)
		tables = CT_COUNTS_AT(area, struct ct_counts_area, summaries) +
			 sizeof(struct ct_counts_summary) *
			     (first + (none + 1ull) * (sm % CT_SUMMARY_ROWS));
	ct_shared_store_pair(CT_COUNT_AT(warp, cursor), is_values ? CT_CURSOR_IDLE : 0, 0);
	ct_shared_store_pair(CT_COUNT_AT(warp, area), area, row);
	ct_shared_store4(CT_COUNT_AT(warp, first), first,
			 CT_COUNTS_AT(unit, struct ct_counts_unit, sites),
			 CT_COUNTS_AT(unit, struct ct_counts_unit, arch), none);
	ct_shared_store_pair(CT_COUNT_AT(warp, tables), tables, objects);
	ct_shared_store64(CT_COUNT_AT(warp, bits), CT_COUNTS_AT(area, struct ct_counts_area, bits));
	ct_shared_store(CT_AT(warp, mode), is_values ? CT_MODE_VALUES : CT_MODE_COUNT);
}

/* A site of a unit that the kernel's calls into. */
CT_RARE uint32_t ct_count_foreign(uint32_t state, uint64_t area, uint64_t site)
{
	uint64_t units = CT_COUNTS_AT(area, struct ct_counts_area, units);
	uint64_t key = (site & ~0xffffffffull) | ct_shared_load(CT_COUNT_AT(state, arch));
	uint32_t low = 0, high = CT_COUNTS_AT(area, struct ct_counts_area, unit_count);

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		uint64_t unit = units + sizeof(struct ct_counts_unit) * middle;
		uint64_t here = (uint64_t)CT_COUNTS_AT(unit, struct ct_counts_unit, tag) << 32 |
				CT_COUNTS_AT(unit, struct ct_counts_unit, arch);

		if (here == key) {
			if ((uint32_t)site >= CT_COUNTS_AT(unit, struct ct_counts_unit, sites))
				break;
			ct_store32(area + offsetof(struct ct_counts_area, foreign), 1);
			return CT_COUNTS_AT(unit, struct ct_counts_unit, first) + (uint32_t)site;
		}
		low = here < key ? middle + 1 : low;
		high = here < key ? high : middle;
	}
	return ct_shared_load(CT_COUNT_AT(state, none));
}

/* The site's index, from site 0 of the kernel's unit on. */
CT_INLINE int32_t ct_count_index(uint32_t state, uint64_t area, uint64_t site)
{
	uint32_t number;

	if (!(site >> 32) && site < ct_shared_load(CT_COUNT_AT(state, sites)))
		return (int32_t)site;
	number = site >> 32 ? ct_count_foreign(state, area, site)
			    : ct_shared_load(CT_COUNT_AT(state, none));
	return (int32_t)(number - ct_shared_load(CT_COUNT_AT(state, first)));
}

/* The four counters of a site, by as many lanes as there are. */
CT_INLINE void ct_count_write(uint64_t row, const struct ct_group *g, int32_t index, uint64_t times,
			      uint64_t sectors, uint64_t bytes)
{
	uint64_t at = row + (int64_t)sizeof(struct ct_counts_site) * index;
	uint32_t lanes = __popc(g->mask);

	for (uint32_t i = g->rank; i < 4; i += lanes) {
		uint64_t even = ct_pick(i == 0, times, sectors);
		uint64_t odd = ct_pick(i == 1, times * lanes, bytes);

		ct_reduce_add(at + 8 * i, ct_pick(i & 1, odd, even));
	}
	__syncwarp(g->mask);
}

/* The lanes with the same value. Matching 64 bits takes longer. */
CT_INLINE uint32_t ct_count_alike(const struct ct_group *g, uint64_t value)
{
	uint32_t high = (uint32_t)(value >> 32);

	if (__all_sync(g->mask, high == __shfl_sync(g->mask, high, g->leader)))
		return __match_any_sync(g->mask, (uint32_t)value);
	return __match_any_sync(g->mask, value);
}

/* The first sector of this lane that no lane before it has; adds up what all have together. */
CT_INLINE uint64_t ct_count_distinct(const struct ct_group *g, uint64_t first, uint64_t last,
				     uint64_t *sectors)
{
	uint64_t from = first, mine;

	if (__all_sync(g->mask, first == last)) {
		bool is_first = (uint32_t)__ffs(ct_count_alike(g, first)) - 1 == g->lane;

		*sectors = __popc(ct_lanes_where(g->mask, is_first));
		return is_first ? first : first + 1;
	}
	for (uint32_t rest = g->mask; rest; rest &= rest - 1) {
		uint32_t lane = __ffs(rest) - 1;
		uint64_t other = ct_from_lane(g, first, lane), end = ct_from_lane(g, last, lane);

		from =
		    CT_COUNTS_FROM(from, other < first || (other == first && lane < g->lane), end);
	}
	mine = from <= last ? last + 1 - from : 0;
	*sectors = 0;
	for (uint32_t rest = g->mask; rest; rest &= rest - 1)
		*sectors += ct_from_lane(g, mine, __ffs(rest) - 1);
	return from;
}

CT_INLINE uint64_t ct_count_bytes(const struct ct_group *g, uint64_t bytes)
{
	uint64_t sum = 0;

	if (__all_sync(g->mask, bytes == ct_from_lane(g, bytes, g->leader)))
		return bytes * __popc(g->mask);
	for (uint32_t rest = g->mask; rest; rest &= rest - 1)
		sum += ct_from_lane(g, bytes, __ffs(rest) - 1);
	return sum;
}

/* An access of the lanes of mask, whose states are all counting; address as in records, bytes of
 * each lane, not 0. */
CT_OUT_OF_LINE void ct_count_range(uint32_t state, uint64_t site, uint64_t address, uint64_t bytes,
				   uint32_t mask)
{
	uint64_t last = address + bytes - 1, sectors, from, area, row;
	struct ct_group g;
	int32_t index;

	ct_shared_load_pair(CT_COUNT_AT(state, area), &area, &row);
	index = ct_count_index(state, area, site);
	__syncwarp(mask);
	ct_group_init(&g, mask);
	from = ct_count_distinct(&g, address >> CT_COUNTS_SECTOR_SHIFT,
				 last >> CT_COUNTS_SECTOR_SHIFT, &sectors);
	ct_count_write(row, &g, index, 1, sectors, ct_count_bytes(&g, bytes));
	if (CT_COUNTS_AT(area, struct ct_counts_area, shared))
		from = 0;
	if (from <= last >> CT_COUNTS_SECTOR_SHIFT)
		ct_count_effect(area, ct_shared_load(CT_COUNT_AT(state, first)) + (uint32_t)index,
				address, last, from);
	__syncwarp(mask);
}

/* ct_count_effect of a short access, where nearly always the site's hint holds: what it takes is
 * in the warp's state. */
CT_INLINE void ct_count_touch(uint32_t state, int32_t index, uint64_t address, uint64_t last)
{
	uint64_t low = address >> CT_COUNTS_SECTOR_SHIFT, high = last >> CT_COUNTS_SECTOR_SHIFT;
	struct ct_count_maps maps;
	uint64_t origin, area;

	ct_shared_load_pair(CT_COUNT_AT(state, tables), &maps.site, &maps.objects);
	maps.read = ct_shared_load64(CT_COUNT_AT(state, bits));
	maps.written = 0;
	maps.site += 4 * (int64_t)index;
	maps.word = ct_load(maps.site);
	if (address & CT_ADDRESS_SPACE_BIT || !maps.read ||
	    !(maps.word & (CT_COUNTS_READS | CT_COUNTS_WRITES)))
		return;
	area = ct_shared_load64(CT_COUNT_AT(state, area));
	if (!ct_count_hinted(&maps, address, last, &origin) || high - low >= 64) {
		ct_count_touch_search(area,
				      ct_shared_load(CT_COUNT_AT(state, first)) + (uint32_t)index,
				      address, last, 0);
		return;
	}
	if (maps.word & CT_COUNTS_WRITES)
		maps.written = maps.read + 8 * CT_COUNTS_AT(area, struct ct_counts_area, bit_words);
	ct_count_mark_sectors(&maps, origin, low, high);
}

/* All 32 lanes side by side, or at one place: base..last is what they access together, and one
 * lane can report it. Returns 0 for other shapes. */
CT_INLINE uint64_t ct_count_together(uint64_t address, uint32_t bytes)
{
	uint64_t base = __shfl_sync(CT_FULL_MASK, address, 0);

	if (__all_sync(CT_FULL_MASK, address == base + (uint64_t)ct_lane() * bytes))
		return base + (uint64_t)CT_WARP_LANES * bytes - 1;
	return __all_sync(CT_FULL_MASK, address == base) ? base + bytes - 1 : 0;
}

/*
 * Accesses of whole warps side by side, those of the lanes 4k..4k + 3 to [first, last] by their
 * site, index: each of these lanes adds to one counter, and the first of them tells what is
 * touched. members: at most 8.
 */
CT_INLINE void ct_count_side_by_side(uint32_t state, int32_t index, uint32_t members,
				     uint64_t first, uint64_t last, uint32_t bytes)
{
	uint32_t lane = ct_lane(), counter = lane % 4;
	uint64_t row = ct_shared_load64(CT_COUNT_AT(state, row));
	uint64_t even =
	    ct_pick(counter == 0, 1,
		    (last >> CT_COUNTS_SECTOR_SHIFT) - (first >> CT_COUNTS_SECTOR_SHIFT) + 1);
	uint64_t odd = ct_pick(counter == 1, CT_WARP_LANES, CT_WARP_LANES * bytes);

	if (lane < 4 * members) {
		ct_reduce_add(row + (int64_t)sizeof(struct ct_counts_site) * index + 8 * counter,
			      ct_pick(counter & 1, odd, even));
		if (counter == 0)
			ct_count_touch(state, index, first, last);
	}
	__syncwarp();
}

/* As __ct_access of hooks.def where that is all of a whole warp side by side; else false, and
 * nothing is counted. index: of the site. */
CT_INLINE bool ct_count_whole(uint32_t state, int32_t index, uint64_t address, uint32_t bytes,
			      uint32_t mask)
{
	uint64_t last = mask == CT_FULL_MASK ? ct_count_together(address, bytes) : 0;

	if (last)
		ct_count_side_by_side(state, index, 1, __shfl_sync(CT_FULL_MASK, address, 0), last,
				      bytes);
	return last;
}

/* An access of as many bytes by every lane. */
CT_RARE void ct_count(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes,
		      uint32_t mask)
{
	uint64_t area = ct_shared_load64(CT_COUNT_AT(state, area));

	if (!ct_count_whole(state, ct_count_index(state, area, site), address, bytes, mask))
		ct_count_range(state, site, address, bytes, mask);
}

CT_INLINE void ct_count_member(uint32_t state, uint32_t site, uint64_t address, uint32_t bytes,
			       uint32_t mask, uint32_t count, uint32_t i, uint64_t distance)
{
	if (i <= count)
		ct_count_range(state, site + i, address + distance, bytes, mask);
}

/* As ct_count_whole, of __ct_group. */
CT_INLINE bool ct_count_group_whole(uint32_t state, uint32_t site, uint64_t address, uint32_t bytes,
				    uint32_t mask, uint32_t count, uint64_t d1, uint64_t d2,
				    uint64_t d3, uint64_t d4, uint64_t d5)
{
	uint64_t last = mask == CT_FULL_MASK ? ct_count_together(address, bytes) : 0;
	uint32_t member = ct_lane() / 4;
	uint64_t distance = ct_pick(member == 1, d1, 0);

	distance = ct_pick(member == 2, d2, distance);
	distance = ct_pick(member == 3, d3, distance);
	distance = ct_pick(member == 4, d4, distance);
	distance = ct_pick(member == 5, d5, distance);
	if (last) {
		address = __shfl_sync(CT_FULL_MASK, address, 0) + distance;
		ct_count_side_by_side(state, (int32_t)(site + member), count + 1, address,
				      last + distance, bytes);
	}
	return last;
}

/* As __ct_group of hooks.def, by the lanes of mask, whose states are all counting. */
CT_RARE void ct_count_group(uint32_t state, uint32_t site, uint64_t address, uint32_t bytes,
			    uint32_t mask, uint32_t count, uint64_t d1, uint64_t d2, uint64_t d3,
			    uint64_t d4, uint64_t d5)
{
	if (ct_count_group_whole(state, site, address, bytes, mask, count, d1, d2, d3, d4, d5))
		return;
	ct_count_range(state, site, address, bytes, mask);
	ct_count_member(state, site, address, bytes, mask, count, 1, d1);
	ct_count_member(state, site, address, bytes, mask, count, 2, d2);
	ct_count_member(state, site, address, bytes, mask, count, 3, d3);
	ct_count_member(state, site, address, bytes, mask, count, 4, d4);
	ct_count_member(state, site, address, bytes, mask, count, 5, d5);
}

/* An execution of a site without addresses. */
CT_OUT_OF_LINE void ct_count_event(uint32_t state, uint64_t site, uint32_t mask)
{
	struct ct_group g;
	uint64_t area, row;

	ct_shared_load_pair(CT_COUNT_AT(state, area), &area, &row);
	ct_group_init(&g, mask);
	ct_count_write(row, &g, ct_count_index(state, area, site), 1, 0, 0);
}

#endif
