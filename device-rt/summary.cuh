/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier values: what hooks do with values in mode CT_MODE_VALUES (summary.h, counts.h).
 *
 * Nearly all elements are no news: their key is within bounds, their bit is set, their object is
 * the one of before. That is seen by weak loads of what is in the first cache, and one vote. The
 * rest goes out of line, where lanes put together what they have before memory is touched. As in
 * count.cuh only weak loads and `red`; what another SM has added since the cache took the line is
 * added once more, which does no harm.
 */
#ifndef CT_DEVICE_SUMMARY_CUH
#define CT_DEVICE_SUMMARY_CUH

#include "device-rt/count.cuh"
#include <cudatrace/summary.h>

static_assert(sizeof(struct ct_counts_summary) == 32 + 4 * CT_SUMMARY_MAPS, "maps come last");

/* One lane, at the entry of a kernel launched with CT_LAUNCH_VALUES. flags: of the launch. */
CT_OUT_OF_LINE void ct_summary_begin(uint32_t warp, uint64_t context, uint32_t flags)
{
	uint64_t area, row, summaries, objects;
	uint32_t none;

	ct_count_begin(warp, context, flags);
	ct_shared_load_pair(CT_COUNT_AT(warp, area), &area, &row);
	none = ct_shared_load(CT_COUNT_AT(warp, none));
	summaries = CT_COUNTS_AT(area, struct ct_counts_area, summaries) +
		    sizeof(struct ct_counts_summary) * (none + 1ull) * (ct_sm() % CT_SUMMARY_ROWS);
	objects = CT_COUNTS_AT(area, struct ct_counts_area, objects);
	ct_shared_store_pair(CT_COUNT_AT(warp, summaries), summaries, objects);
	ct_shared_store_pair(CT_COUNT_AT(warp, cursor), CT_CURSOR_IDLE, 0);
	ct_shared_store(CT_AT(warp, mode), CT_MODE_VALUES);
}

/* What one lane knows of its element. */
struct ct_summary_news {
	uint64_t high, low; /* its key, and the complement; both 0 if it has none */
	uint32_t properties;
	uint32_t map, bit; /* of its hash */
	uint64_t address;
	uint32_t bytes;
	bool is_elsewhere; /* global, and not in the object of the hint */
};

/* The number of the object that holds the element, 0 if none does; a hint for the next one. */
CT_INLINE uint32_t ct_summary_object(uint64_t area, uint64_t at, const struct ct_summary_news *news)
{
	uint32_t count = CT_COUNTS_AT(area, struct ct_counts_area, object_count), found;
	struct ct_count_maps maps;
	uint64_t start, end;

	maps.objects = CT_COUNTS_AT(area, struct ct_counts_area, objects);
	found = ct_count_objects_until(&maps, count, news->address);
	if (!found)
		return 0;
	ct_load64_pair(ct_count_object_at(&maps, found - 1), &start, &end);
	if (end < news->address + news->bytes)
		return 0;
	ct_store32(at + offsetof(struct ct_counts_summary, hint), found);
	return found;
}

/* By the lanes of a group; what all have together goes to memory by the first of them. */
CT_OUT_OF_LINE void ct_summary_extend(uint64_t area, uint64_t at, struct ct_summary_news news,
				      uint32_t mask)
{
	uint64_t high = 0, low = 0;
	uint32_t properties = 0, last = 0, first = 0, object = 0, has_object;
	struct ct_group g;

	ct_group_init(&g, mask);
	if (news.is_elsewhere)
		object = ct_summary_object(area, at, &news);
	has_object = ct_lanes_where(mask, news.is_elsewhere);
	__syncwarp(mask);
#pragma unroll 1
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		uint32_t lane = __ffs(rest) - 1, number = ct_from_lane(&g, object, lane);
		uint64_t value = ct_from_lane(&g, news.high, lane);

		high = value > high ? value : high;
		value = ct_from_lane(&g, news.low, lane);
		low = value > low ? value : low;
		properties |= (uint32_t)ct_from_lane(&g, news.properties, lane);
		if (has_object >> lane & 1) {
			last = number > last ? number : last;
			first = ~number > first ? ~number : first;
		}
	}
	if (!(ct_load(at + offsetof(struct ct_counts_summary, map) + 4 * news.map) & news.bit))
		ct_reduce_or32(at + offsetof(struct ct_counts_summary, map) + 4 * news.map,
			       news.bit);
	if (g.lane == g.leader) {
		ct_reduce_max(at + offsetof(struct ct_counts_summary, high), high);
		ct_reduce_max(at + offsetof(struct ct_counts_summary, low), low);
		if (properties)
			ct_reduce_or32(at + offsetof(struct ct_counts_summary, properties),
				       properties);
		if (has_object) {
			ct_reduce_max32(at + offsetof(struct ct_counts_summary, last), last);
			ct_reduce_max32(at + offsetof(struct ct_counts_summary, first), first);
		}
	}
	__syncwarp(mask);
}

/* What is in memory there. */
CT_INLINE uint64_t ct_summary_load(uint64_t address, uint32_t bytes)
{
	uint64_t value = 0;

	if (!(address & (bytes - 1)))
		return bytes == 8   ? ct_load64(address)
		       : bytes == 4 ? ct_load(address)
		       : bytes == 2 ? ct_load16(address)
				    : ct_load8(address);
#pragma unroll 1
	for (uint32_t i = 0; i < bytes; i++)
		value |= (uint64_t)ct_load8(address + i) << 8 * i;
	return value;
}

/* Four counters, by as many lanes as there are. */
CT_INLINE void ct_summary_count(uint64_t to, const struct ct_group *g, uint32_t times,
				uint32_t zeros, uint32_t same)
{
	uint32_t lanes = __popc(g->mask);

#pragma unroll 1
	for (uint32_t i = g->rank; i < 4; i += lanes) {
		uint32_t value = i == 0 ? times : i == 1 ? lanes : i == 2 ? zeros : same;

		if (value)
			ct_reduce_add(to + 8 * i, value);
	}
}

/* One element of each lane of mask. Word holds it; times: 1 if the execution counts with it. */
template <typename Word>
CT_INLINE void ct_summary_element(uint32_t state, uint64_t site, uint32_t element, uint32_t times,
				  Word bits, uint64_t address, uint32_t mask)
{
	const uint32_t bytes = CT_ELEMENT_BYTES(element), scalar = CT_ELEMENT_SCALAR(element);
	const bool is_global = element & CT_ELEMENT_GLOBAL, is_store = element & CT_ELEMENT_STORE;
	uint64_t area, row, summaries, objects, at, high, low, words[2], start, end;
	uint32_t index, hash, has, hint, all, map;
	struct ct_summary_news news;
	bool is_new, is_same = false;
	struct ct_group g;
	Word found = 0;

	if (is_store && is_global)
		found = (Word)ct_summary_load(address, bytes);
	ct_group_init(&g, mask);
	ct_shared_load_pair(CT_COUNT_AT(state, area), &area, &row);
	ct_shared_load_pair(CT_COUNT_AT(state, summaries), &summaries, &objects);
	index = ct_count_index(state, area, site);
	at = summaries + sizeof(struct ct_counts_summary) * index;
	hash = ct_summary_hash(bytes, bits);
	news.map = ct_summary_map(hash);
	news.bit = ct_summary_bit(hash);
	map = ct_load(at + offsetof(struct ct_counts_summary, map) + 4 * news.map);
	ct_load64_pair(at, &high, &low);
	ct_load64_pair(at + offsetof(struct ct_counts_summary, properties), &words[0], &words[1]);
	has = (uint32_t)words[0];
	hint = (uint32_t)(words[0] >> 32);
	all = ct_summary_properties_all(scalar, bytes);
	news.properties = is_store && !is_global ? CT_PROPERTY_UNFOUND : 0;
	if ((has & all) != all)
		news.properties |= ct_summary_properties(scalar, bytes, bits) & all;
	news.high = ct_summary_key(scalar, bytes, bits);
	news.low = ct_summary_ones(bytes) - news.high;
	if (ct_summary_is_nan(scalar, bytes, bits)) {
		news.properties |= CT_PROPERTY_NAN;
		news.high = news.low = 0;
	}
	news.address = address;
	news.bytes = bytes;
	news.is_elsewhere = false;
	if (is_global) {
		/* Where there is no hint, what lies before the objects is read in vain. */
		ct_load64_pair(objects +
				   sizeof(struct ct_counts_object) * (int64_t)((int32_t)hint - 1),
			       &start, &end);
		news.is_elsewhere = !hint || address < start || address + bytes > end;
	}
	is_new = !(map & news.bit) || (Word)news.high > (Word)high || (Word)news.low > (Word)low ||
		 (news.properties & ~has) || news.is_elsewhere;
	if (!__all_sync(mask, !is_new))
		ct_summary_extend(area, at, news, mask);
	is_same =
	    is_store ? is_global && found == bits : bits == (Word)ct_from_lane(&g, bits, g.leader);
	ct_summary_count(row + sizeof(struct ct_counts_site) * index, &g, times,
			 __popc(ct_lanes_where(mask, ct_summary_is_zero(scalar, bytes, bits))),
			 __popc(ct_lanes_where(mask, is_same)));
	__syncwarp(mask);
}

/* Elements of 4 bytes, one to a lane, have code of their own. */
#define CT_SUMMARY_WORD(name, element)                                                             \
	CT_OUT_OF_LINE void name(uint32_t state, uint64_t site, uint32_t bits, uint64_t address,   \
				 uint32_t mask)                                                    \
	{                                                                                          \
		ct_summary_element<uint32_t>(state, site, element, 1, bits, address, mask);        \
	}
#define CT_ELEMENT_WORD(scalar, effect) CT_ELEMENT(scalar, 2, (effect) | CT_ELEMENT_GLOBAL)

CT_SUMMARY_WORD(ct_summary_load_integer, CT_ELEMENT_WORD(CT_SCALAR_INTEGER, CT_ELEMENT_LOAD))
CT_SUMMARY_WORD(ct_summary_store_integer, CT_ELEMENT_WORD(CT_SCALAR_INTEGER, CT_ELEMENT_STORE))
CT_SUMMARY_WORD(ct_summary_load_float, CT_ELEMENT_WORD(CT_SCALAR_FLOAT, CT_ELEMENT_LOAD))
CT_SUMMARY_WORD(ct_summary_store_float, CT_ELEMENT_WORD(CT_SCALAR_FLOAT, CT_ELEMENT_STORE))

/* Any elements, one after another. bytes: of all that a lane has. */
CT_OUT_OF_LINE void ct_summary_any(uint32_t state, uint64_t site, uint32_t element, uint32_t bytes,
				   uint64_t low, uint64_t high, uint64_t address, uint32_t times,
				   uint32_t mask)
{
	uint32_t size = CT_ELEMENT_BYTES(element);

#pragma unroll 1
	for (uint32_t at = 0; at < bytes; at += size) {
		uint64_t word = (at < 8 ? low : high) >> 8 * (at & 7);

		ct_summary_element<uint64_t>(state, site, element, times && at == 0,
					     word & ct_summary_ones(size), address + at, mask);
	}
}

/* As __ct_value of hooks.def, by the lanes of mask. Only the first part of an access counts as its
 * execution. */
CT_INLINE void ct_summary_value(uint32_t state, uint64_t site, uint32_t part, uint32_t element,
				uint32_t bytes, uint64_t low, uint64_t high, uint64_t address,
				uint32_t mask)
{
	if (bytes == 4 && element == CT_ELEMENT_WORD(CT_SCALAR_INTEGER, CT_ELEMENT_LOAD))
		ct_summary_load_integer(state, site, (uint32_t)low, address, mask);
	else if (bytes == 4 && element == CT_ELEMENT_WORD(CT_SCALAR_INTEGER, CT_ELEMENT_STORE))
		ct_summary_store_integer(state, site, (uint32_t)low, address, mask);
	else if (bytes == 4 && element == CT_ELEMENT_WORD(CT_SCALAR_FLOAT, CT_ELEMENT_LOAD))
		ct_summary_load_float(state, site, (uint32_t)low, address, mask);
	else if (bytes == 4 && element == CT_ELEMENT_WORD(CT_SCALAR_FLOAT, CT_ELEMENT_STORE))
		ct_summary_store_float(state, site, (uint32_t)low, address, mask);
	else
		ct_summary_any(state, site, element, bytes, low, high, address, part == 0, mask);
}

#endif
