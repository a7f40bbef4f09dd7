/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier counts: what hooks do in mode CT_MODE_COUNT (counts.h).
 *
 * Only weak loads and `red`, which returns nothing: ptxas gives no YIELD to a
 * loop that leads to one, as it does to `atom`, even if nobody uses what that
 * returns, and to loads that are strong or go past the first cache (seen in the
 * machine code for sm_90; warp.cuh says why it matters).
 */
#ifndef CT_DEVICE_COUNT_CUH
#define CT_DEVICE_COUNT_CUH

#include "device-rt/append.cuh"
#include <cudatrace/counts.h>

/* In place of struct ct_warp, in the same shared memory: the inlined path of accesses
 * finds no room, and leads here. */
struct ct_count_warp {
	uint64_t cursor, end; /* 0 */
	uint64_t area;
	uint32_t first; /* counter of site 0 of the kernel's unit */
	uint32_t sites; /* of that unit */
	uint32_t arch;  /* of that unit */
	uint32_t none;  /* counter of sites of no known unit */
};

static_assert(sizeof(struct ct_count_warp) <= offsetof(struct ct_warp, mode),
	      "states share memory");

#define CT_COUNT_AT(state, field) ((state) + (uint32_t)offsetof(struct ct_count_warp, field))

#define CT_COUNTS_AT(address, type, field)                                                         \
	ct_count_load((address) + offsetof(type, field), (const decltype(((type *)0)->field) *)0)

CT_INLINE uint32_t ct_count_load(uint64_t address, const uint32_t *)
{
	return ct_load(address);
}

CT_INLINE uint64_t ct_count_load(uint64_t address, const uint64_t *)
{
	return ct_load64(address);
}

/* One lane, at the entry of a kernel launched with CT_LAUNCH_COUNTS. flags: of the launch. */
CT_OUT_OF_LINE void ct_count_begin(uint32_t warp, uint64_t context, uint32_t flags)
{
	uint64_t area = ct_load64(CT_CONTEXT(context, counts) + 8ull * CT_COUNTS_AREA_OF(flags));
	uint64_t unit = CT_COUNTS_AT(area, struct ct_counts_area, units) +
			sizeof(struct ct_counts_unit) * CT_COUNTS_UNIT_OF(flags);

	ct_shared_store_pair(CT_COUNT_AT(warp, cursor), 0, 0);
	ct_shared_store64(CT_COUNT_AT(warp, area), area);
	ct_shared_store(CT_COUNT_AT(warp, first), CT_COUNTS_AT(unit, struct ct_counts_unit, first));
	ct_shared_store(CT_COUNT_AT(warp, sites), CT_COUNTS_AT(unit, struct ct_counts_unit, sites));
	ct_shared_store(CT_COUNT_AT(warp, arch), CT_COUNTS_AT(unit, struct ct_counts_unit, arch));
	ct_shared_store(CT_COUNT_AT(warp, none),
			CT_COUNTS_AT(area, struct ct_counts_area, site_count));
	ct_shared_store(CT_AT(warp, mode), CT_MODE_COUNT);
}

/* A site of a unit that the kernel's calls into. */
CT_OUT_OF_LINE uint32_t ct_count_foreign(uint32_t state, uint64_t area, uint64_t site)
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

CT_INLINE uint32_t ct_count_index(uint32_t state, uint64_t area, uint64_t site)
{
	if (site >> 32)
		return ct_count_foreign(state, area, site);
	if (site >= ct_shared_load(CT_COUNT_AT(state, sites)))
		return ct_shared_load(CT_COUNT_AT(state, none));
	return ct_shared_load(CT_COUNT_AT(state, first)) + (uint32_t)site;
}

/* The four counters of a site, by as many lanes as there are. */
CT_INLINE void ct_count_write(uint32_t state, uint64_t area, const struct ct_group *g,
			      uint32_t index, uint64_t times, uint64_t sectors, uint64_t bytes)
{
	uint32_t lanes = __popc(g->mask);
	uint64_t row = ct_sm() % CT_COUNTS_REPLICAS;
	uint64_t at = CT_COUNTS_AT(area, struct ct_counts_area, sites) +
		      sizeof(struct ct_counts_site) *
			  (row * (ct_shared_load(CT_COUNT_AT(state, none)) + 1ull) + index);

	for (uint32_t i = g->rank; i < 4; i += lanes)
		ct_reduce_add(at + 8 * i, i == 0   ? times
					  : i == 1 ? times * lanes
					  : i == 2 ? sectors
						   : bytes);
	__syncwarp(g->mask);
}

/* Bits of a word of a map. Those that other SMs have set since the first cache took the line are
 * set once more, which does no harm; a load past that cache (.cg) brings a YIELD. */
CT_INLINE void ct_count_mark_word(uint64_t at, uint64_t bits)
{
	if ((ct_load64(at) & bits) != bits)
		ct_reduce_or(at, bits);
}

/* Bits [bit, bit + count) of a map, count <= 64: the common case without a loop. */
CT_INLINE void ct_count_mark(uint64_t map, uint64_t bit, uint32_t count)
{
	uint32_t shift = (uint32_t)bit & 63;
	uint64_t at = map + 8 * (bit >> 6), bits = ~0ull >> (64 - count);

	ct_count_mark_word(at, bits << shift);
	if (shift + count > 64)
		ct_count_mark_word(at + 8, bits >> (64 - shift));
}

/* How many objects start at address or before. */
CT_INLINE uint32_t ct_count_objects_until(uint64_t objects, uint32_t count, uint64_t address)
{
	uint32_t found = 0;

	for (uint32_t step = count ? 1u << (31 - __clz(count)) : 0; step; step >>= 1)
		if (found + step <= count &&
		    CT_COUNTS_AT(objects + sizeof(struct ct_counts_object) * (found + step - 1),
				 struct ct_counts_object, start) <= address)
			found += step;
	return found;
}

/* Where an area keeps what is touched. */
struct ct_count_maps {
	uint64_t objects; /* struct ct_counts_object[count] */
	uint32_t count;
	uint32_t operation; /* CT_COUNTS_READS, _WRITES */
	uint64_t read, written;
};

CT_INLINE void ct_count_maps_load(uint64_t area, uint32_t operation, struct ct_count_maps *maps)
{
	maps->objects = CT_COUNTS_AT(area, struct ct_counts_area, objects);
	maps->count = CT_COUNTS_AT(area, struct ct_counts_area, object_count);
	maps->operation = operation;
	maps->read = CT_COUNTS_AT(area, struct ct_counts_area, bits);
	maps->written = maps->read + 8 * CT_COUNTS_AT(area, struct ct_counts_area, bit_words);
}

/* The sectors low..high of an object. */
CT_INLINE void ct_count_mark_object(const struct ct_count_maps *maps, uint64_t object, uint64_t low,
				    uint64_t high)
{
	uint64_t start = CT_COUNTS_AT(object, struct ct_counts_object, start);
	uint64_t bit = CT_COUNTS_AT(object, struct ct_counts_object, first_bit) + low -
		       (start >> CT_COUNTS_SECTOR_SHIFT);
	uint32_t count = (uint32_t)(high - low) + 1;

	if (maps->operation & CT_COUNTS_READS)
		ct_count_mark(maps->read, bit, count);
	if (maps->operation & CT_COUNTS_WRITES)
		ct_count_mark(maps->written, bit, count);
}

/* One lane: what is long, or meets several objects; from object i on. */
CT_OUT_OF_LINE void ct_count_touch_long(uint64_t area, uint32_t operation, uint64_t address,
					uint64_t last, uint64_t from, uint32_t i)
{
	struct ct_count_maps maps;

	ct_count_maps_load(area, operation, &maps);
	for (; i < maps.count; i++) {
		uint64_t object = maps.objects + sizeof(struct ct_counts_object) * i;
		uint64_t start = CT_COUNTS_AT(object, struct ct_counts_object, start);
		uint64_t end = CT_COUNTS_AT(object, struct ct_counts_object, end) - 1;
		uint64_t low = (start > address ? start : address) >> CT_COUNTS_SECTOR_SHIFT;
		uint64_t high = (end < last ? end : last) >> CT_COUNTS_SECTOR_SHIFT;

		if (start > last)
			return;
		if (end < address)
			continue;
		for (low = low > from ? low : from; low <= high; low += 64)
			ct_count_mark_object(&maps, object, low, high - low < 64 ? high : low + 63);
	}
}

/* One lane: the sectors of [address, last] in each object that it meets, but not those before
 * `from`. */
CT_INLINE void ct_count_touch(uint64_t area, uint32_t operation, uint64_t address, uint64_t last,
			      uint64_t from)
{
	struct ct_count_maps maps;
	uint64_t object, end, low = address >> CT_COUNTS_SECTOR_SHIFT;
	uint64_t high = last >> CT_COUNTS_SECTOR_SHIFT;
	uint32_t i;

	ct_count_maps_load(area, operation, &maps);
	i = ct_count_objects_until(maps.objects, maps.count, address);
	object = maps.objects + sizeof(struct ct_counts_object) * (i ? i - 1 : 0);
	end = i ? CT_COUNTS_AT(object, struct ct_counts_object, end) : 0;
	low = low > from ? low : from;
	if (last < end && high - low < 64)
		ct_count_mark_object(&maps, object, low, high);
	else if (address < end ||
		 (i < maps.count && CT_COUNTS_AT(maps.objects + sizeof(struct ct_counts_object) * i,
						 struct ct_counts_object, start) <= last))
		ct_count_touch_long(area, operation, address, last, from, i ? i - 1 : 0);
}

/* The first sector of this lane that no lane before it has; adds up what all have together. */
CT_INLINE uint64_t ct_count_distinct(const struct ct_group *g, uint64_t first, uint64_t last,
				     uint64_t *sectors)
{
	uint64_t from = first, mine;

	if (__all_sync(g->mask, first == last)) {
		bool is_first = (uint32_t)__ffs(__match_any_sync(g->mask, first)) - 1 == g->lane;

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

/* One lane: what the site does to [address, last], if maps are kept. */
CT_INLINE void ct_count_effect(uint64_t area, uint32_t index, uint64_t address, uint64_t last,
			       uint64_t from)
{
	uint32_t operation =
	    ct_load8(CT_COUNTS_AT(area, struct ct_counts_area, operations) + index);

	if (operation && !(address & CT_ADDRESS_SPACE_BIT) &&
	    CT_COUNTS_AT(area, struct ct_counts_area, bits))
		ct_count_touch(area, operation, address, last, from);
}

/* An access of the lanes of mask, whose states are all counting; address as in records, bytes of
 * each lane, not 0. */
CT_OUT_OF_LINE void ct_count_range(uint32_t state, uint64_t site, uint64_t address, uint64_t bytes,
				   uint32_t mask)
{
	uint64_t area = ct_shared_load64(CT_COUNT_AT(state, area));
	uint32_t index = ct_count_index(state, area, site);
	uint64_t last = address + bytes - 1, sectors, from;
	struct ct_group g;

	__syncwarp(mask);
	ct_group_init(&g, mask);
	from = ct_count_distinct(&g, address >> CT_COUNTS_SECTOR_SHIFT,
				 last >> CT_COUNTS_SECTOR_SHIFT, &sectors);
	ct_count_write(state, area, &g, index, 1, sectors, ct_count_bytes(&g, bytes));
	if (CT_COUNTS_AT(area, struct ct_counts_area, shared))
		from = 0;
	if (from <= last >> CT_COUNTS_SECTOR_SHIFT)
		ct_count_effect(area, index, address, last, from);
	__syncwarp(mask);
}

/* All 32 lanes side by side, or at one place: base..last is what they access together, and one
 * lane can tell of it. Returns 0 for other shapes. */
CT_INLINE uint64_t ct_count_together(uint64_t address, uint32_t bytes)
{
	uint64_t base = __shfl_sync(CT_FULL_MASK, address, 0);

	if (__all_sync(CT_FULL_MASK, address == base + (uint64_t)ct_lane() * bytes))
		return base + (uint64_t)CT_WARP_LANES * bytes - 1;
	return __all_sync(CT_FULL_MASK, address == base) ? base + bytes - 1 : 0;
}

/* The same of as many bytes by every lane. */
CT_OUT_OF_LINE void ct_count(uint32_t state, uint64_t site, uint64_t address, uint32_t bytes,
			     uint32_t mask)
{
	uint64_t last = mask == CT_FULL_MASK ? ct_count_together(address, bytes) : 0;
	struct ct_group g;
	uint64_t area, sectors;
	uint32_t index;

	if (!last) {
		ct_count_range(state, site, address, bytes, mask);
		return;
	}
	ct_group_init(&g, mask);
	area = ct_shared_load64(CT_COUNT_AT(state, area));
	index = ct_count_index(state, area, site);
	address = __shfl_sync(CT_FULL_MASK, address, 0);
	sectors = (last >> CT_COUNTS_SECTOR_SHIFT) - (address >> CT_COUNTS_SECTOR_SHIFT) + 1;
	ct_count_write(state, area, &g, index, 1, sectors, (uint64_t)CT_WARP_LANES * bytes);
	if (g.lane == 0)
		ct_count_effect(area, index, address, last, 0);
	__syncwarp();
}

/* An execution of a site without addresses. */
CT_OUT_OF_LINE void ct_count_event(uint32_t state, uint64_t site, uint32_t mask)
{
	uint64_t area = ct_shared_load64(CT_COUNT_AT(state, area));
	struct ct_group g;

	ct_group_init(&g, mask);
	ct_count_write(state, area, &g, ct_count_index(state, area, site), 1, 0, 0);
}

#endif
