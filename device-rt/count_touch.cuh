/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier counts: which sectors of which objects an access touches, as bits in the area's maps
 * (counts.h). By single lanes, with nothing that waits for others.
 */
#ifndef CT_DEVICE_RT_COUNT_TOUCH_H
#define CT_DEVICE_RT_COUNT_TOUCH_H

#include "device-rt/append.cuh"
#include <cudatrace/counts.h>

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

/* Bits of a word of a map, which was so before. Those that other SMs have set since the first cache
 * took the line are set once more, which does no harm; a load past that cache (.cg) brings a YIELD.
 */
CT_INLINE void ct_count_mark_word(uint64_t at, uint64_t before, uint64_t bits)
{
	if ((before & bits) != bits)
		ct_reduce_or(at, bits);
}

/* Bits [bit, bit + count) of a map, count <= 64: the common case without a loop. The first
 * word is not waited for before the second is asked for. */
CT_INLINE void ct_count_mark(uint64_t map, uint64_t bit, uint32_t count)
{
	uint32_t shift = (uint32_t)bit & 63;
	uint64_t at = map + 8 * (bit >> 6), bits = ~0ull >> (64 - count), before = ct_load64(at);

	if (shift + count > 64)
		ct_count_mark_word(at + 8, ct_load64(at + 8), bits >> (64 - shift));
	ct_count_mark_word(at, before, bits << shift);
}

/* Describes what a site does, and where its area keeps what is touched. */
struct ct_count_maps {
	uint64_t area;
	uint64_t site;    /* address of the site's word in operations */
	uint64_t objects; /* struct ct_counts_object[] */
	uint64_t read, written;
	uint32_t word; /* the site's, as it was */
};

/* False if nothing is kept of what the site touches. */
CT_INLINE bool ct_count_maps_load(uint64_t area, uint32_t index, struct ct_count_maps *maps)
{
	uint64_t words;

	maps->area = area;
	ct_load64_pair(area + offsetof(struct ct_counts_area, operations), &maps->site,
		       &maps->objects);
	ct_load64_pair(area + offsetof(struct ct_counts_area, bits), &maps->read, &words);
	maps->written = maps->read + 8 * words;
	maps->site += 4ull * index;
	maps->word = ct_load(maps->site);
	return maps->word & (CT_COUNTS_READS | CT_COUNTS_WRITES) && maps->read;
}

CT_INLINE uint64_t ct_count_object_at(const struct ct_count_maps *maps, uint32_t i)
{
	return maps->objects + sizeof(struct ct_counts_object) * (uint64_t)i;
}

/* Whether [address, last] is in the object that the site's hint names. Then the maps have sector s
 * at bit *origin + s. Before and behind the area's objects there are zeros. */
CT_INLINE bool ct_count_hinted(const struct ct_count_maps *maps, uint64_t address, uint64_t last,
			       uint64_t *origin)
{
	uint32_t hint = maps->word >> CT_COUNTS_HINT_SHIFT;
	uint64_t object = ct_count_object_at(maps, hint) - sizeof(struct ct_counts_object);
	uint64_t start, end;

	ct_load64_pair(object, &start, &end);
	*origin = CT_COUNTS_AT(object, struct ct_counts_object, first_bit) -
		  (start >> CT_COUNTS_SECTOR_SHIFT);
	return start <= address && last < end;
}

/* The sectors low..high, at most 64. */
CT_INLINE void ct_count_mark_sectors(const struct ct_count_maps *maps, uint64_t origin,
				     uint64_t low, uint64_t high)
{
	uint32_t count = (uint32_t)(high - low) + 1;
	bool reads = maps->word & CT_COUNTS_READS;

	/* Lanes with loads and lanes with stores at once. */
	ct_count_mark(ct_pick(reads, maps->read, maps->written), origin + low, count);
	if (reads && maps->word & CT_COUNTS_WRITES)
		ct_count_mark(maps->written, origin + low, count);
}

/* How many objects start at address or before. */
CT_INLINE uint32_t ct_count_objects_until(const struct ct_count_maps *maps, uint32_t count,
					  uint64_t address)
{
	uint32_t found = 0;

	for (uint32_t step = count ? 1u << (31 - __clz(count)) : 0; step; step >>= 1)
		if (found + step <= count &&
		    CT_COUNTS_AT(ct_count_object_at(maps, found + step - 1),
				 struct ct_counts_object, start) <= address)
			found += step;
	return found;
}

/* The sectors of [address, last] in each object that it meets, but not those before `from`; any
 * number of them. Leaves the site a hint. */
CT_RARE void ct_count_touch_search(uint64_t area, uint32_t index, uint64_t address, uint64_t last,
				   uint64_t from)
{
	uint32_t count = CT_COUNTS_AT(area, struct ct_counts_area, object_count), i;
	struct ct_count_maps maps;

	ct_count_maps_load(area, index, &maps);
	i = ct_count_objects_until(&maps, count, address);
#pragma unroll 1
	for (i = i ? i - 1 : 0; i < count; i++) {
		uint64_t object = ct_count_object_at(&maps, i), start, end, origin, low, high;

		ct_load64_pair(object, &start, &end);
		if (start > last)
			return;
		if (end <= address)
			continue;
		if (start <= address)
			ct_store32(maps.site, (maps.word & (CT_COUNTS_READS | CT_COUNTS_WRITES)) |
						  (i + 1) << CT_COUNTS_HINT_SHIFT);
		origin = CT_COUNTS_AT(object, struct ct_counts_object, first_bit) -
			 (start >> CT_COUNTS_SECTOR_SHIFT);
		low = (start > address ? start : address) >> CT_COUNTS_SECTOR_SHIFT;
		high = (end - 1 < last ? end - 1 : last) >> CT_COUNTS_SECTOR_SHIFT;
#pragma unroll 1
		for (low = low > from ? low : from; low <= high; low += 64)
			ct_count_mark_sectors(&maps, origin, low,
					      high - low < 64 ? high : low + 63);
	}
}

/* Marks [address, last] for the site, but not sectors before `from`; some are left. */
CT_INLINE void ct_count_effect(uint64_t area, uint32_t index, uint64_t address, uint64_t last,
			       uint64_t from)
{
	uint64_t low = address >> CT_COUNTS_SECTOR_SHIFT, high = last >> CT_COUNTS_SECTOR_SHIFT;
	struct ct_count_maps maps;
	uint64_t origin;

	if (address & CT_ADDRESS_SPACE_BIT || !ct_count_maps_load(area, index, &maps))
		return;
	low = low > from ? low : from;
	if (high - low < 64 && ct_count_hinted(&maps, address, last, &origin))
		ct_count_mark_sectors(&maps, origin, low, high);
	else
		ct_count_touch_search(area, index, address, last, from);
}

#endif
