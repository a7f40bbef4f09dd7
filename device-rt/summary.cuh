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

/* Whether [address, address + bytes) is in the object that a hint names; no hint, and what lies
 * before the objects is read in vain. */
CT_INLINE bool ct_summary_is_in(uint64_t objects, uint32_t hint, uint64_t address, uint32_t bytes)
{
	uint64_t start, end;

	ct_load64_pair(objects + sizeof(struct ct_counts_object) * (int64_t)((int32_t)hint - 1),
		       &start, &end);
	return hint && address >= start && address + bytes <= end;
}

/* The number of the object that holds the element, 0 if none does; a hint for the next one. */
CT_INLINE uint32_t ct_summary_object(uint64_t area, uint64_t at, uint64_t address, uint32_t bytes)
{
	uint32_t count = CT_COUNTS_AT(area, struct ct_counts_area, object_count), found;
	struct ct_count_maps maps;

	maps.objects = CT_COUNTS_AT(area, struct ct_counts_area, objects);
	found = ct_count_objects_until(&maps, count, address);
	if (!ct_summary_is_in(maps.objects, found, address, bytes))
		return 0;
	ct_store32(at + offsetof(struct ct_counts_summary, hint), found);
	return found;
}

/* The greatest over the lanes of the group. */
CT_INLINE uint64_t ct_summary_most(const struct ct_group *g, uint64_t value)
{
	uint64_t most = 0;

#pragma unroll 1
	for (uint32_t rest = g->mask; rest; rest &= rest - 1) {
		uint64_t other = ct_from_lane(g, value, __ffs(rest) - 1);

		most = other > most ? other : most;
	}
	return most;
}

/*
 * By the lanes of a group, of whose elements some is news; what they have together goes to memory
 * by the first of them. All is worked out anew: what the caller has would cost it registers.
 */
CT_OUT_OF_LINE void ct_summary_extend(uint64_t area, uint64_t at, uint32_t element, uint64_t bits,
				      uint64_t address, uint32_t mask)
{
	const uint32_t bytes = CT_ELEMENT_BYTES(element), scalar = CT_ELEMENT_SCALAR(element);
	uint32_t hash = ct_summary_hash(bytes, bits), bit = ct_summary_bit(hash), has, hint;
	uint64_t map = at + offsetof(struct ct_counts_summary, map) + 4 * ct_summary_map(hash);
	bool is_nan = ct_summary_is_nan(scalar, bytes, bits), is_elsewhere = false;
	uint64_t key = ct_summary_key(scalar, bytes, bits), high, low, last, first;
	uint32_t properties =
	    ct_summary_properties(scalar, bytes, bits) & ct_summary_properties_all(scalar, bytes);
	uint32_t object = 0, has_object;
	struct ct_group g;

	ct_group_init(&g, mask);
	if (is_nan)
		properties |= CT_PROPERTY_NAN;
	if ((element & CT_ELEMENT_STORE) && !(element & CT_ELEMENT_GLOBAL))
		properties |= CT_PROPERTY_UNFOUND;
	hint = ct_load(at + offsetof(struct ct_counts_summary, hint));
	if (element & CT_ELEMENT_GLOBAL)
		is_elsewhere = !ct_summary_is_in(CT_COUNTS_AT(area, struct ct_counts_area, objects),
						 hint, address, bytes);
	if (is_elsewhere)
		object = ct_summary_object(area, at, address, bytes);
	__syncwarp(mask);
	has_object = ct_lanes_where(mask, is_elsewhere);
	high = ct_summary_most(&g, is_nan ? 0 : key);
	low = ct_summary_most(&g, is_nan ? 0 : ct_summary_ones(bytes) - key);
	last = has_object ? ct_summary_most(&g, is_elsewhere ? object : 0) : 0;
	first = has_object ? ct_summary_most(&g, is_elsewhere ? (uint32_t)~object : 0) : 0;
	has = ct_load(at + offsetof(struct ct_counts_summary, properties));
	if (properties & ~has)
		ct_reduce_or32(at + offsetof(struct ct_counts_summary, properties), properties);
	if (!(ct_load(map) & bit))
		ct_reduce_or32(map, bit);
	if (g.lane == g.leader) {
		ct_reduce_max(at + offsetof(struct ct_counts_summary, high), high);
		ct_reduce_max(at + offsetof(struct ct_counts_summary, low), low);
	}
	if (g.lane == g.leader && has_object) {
		ct_reduce_max32(at + offsetof(struct ct_counts_summary, last), (uint32_t)last);
		ct_reduce_max32(at + offsetof(struct ct_counts_summary, first), (uint32_t)first);
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

/* Whether the lane's element is news to what the first cache has of the summary. */
template <typename Word>
CT_INLINE bool ct_summary_is_news(uint64_t objects, uint64_t at, uint32_t element, Word bits,
				  uint64_t address)
{
	const uint32_t bytes = CT_ELEMENT_BYTES(element), scalar = CT_ELEMENT_SCALAR(element);
	const uint32_t all = ct_summary_properties_all(scalar, bytes);
	uint32_t hash = ct_summary_hash(bytes, bits), map, has;
	uint64_t high, low, words, objects_seen;
	bool is_news;
	Word key;

	map = ct_load(at + offsetof(struct ct_counts_summary, map) + 4 * ct_summary_map(hash));
	ct_load64_pair(at, &high, &low);
	ct_load64_pair(at + offsetof(struct ct_counts_summary, properties), &words, &objects_seen);
	has = (uint32_t)words;
	is_news = !(map & ct_summary_bit(hash));
	if (ct_summary_is_nan(scalar, bytes, bits)) {
		is_news |= !(has & CT_PROPERTY_NAN);
	} else {
		key = (Word)ct_summary_key(scalar, bytes, bits);
		is_news |= key > (Word)high || key < (Word)(ct_summary_ones(bytes) - low);
	}
	if ((has & all) != all)
		is_news |= (ct_summary_properties(scalar, bytes, bits) & all & ~has) != 0;
	if (element & CT_ELEMENT_GLOBAL)
		is_news |= !ct_summary_is_in(objects, (uint32_t)(words >> 32), address, bytes);
	else if (element & CT_ELEMENT_STORE)
		is_news |= !(has & CT_PROPERTY_UNFOUND);
	return is_news;
}

/* One element of each lane of mask. Word holds it; times: 1 if the execution counts with it. */
template <typename Word>
CT_INLINE void ct_summary_element(uint32_t state, uint64_t site, uint32_t element, uint32_t times,
				  Word bits, uint64_t address, uint32_t mask)
{
	const uint32_t bytes = CT_ELEMENT_BYTES(element), scalar = CT_ELEMENT_SCALAR(element);
	const bool is_store = element & CT_ELEMENT_STORE;
	uint64_t area, row, summaries, objects, at;
	uint32_t index, zeros, same;
	bool is_same = false;
	struct ct_group g;

	if (is_store && (element & CT_ELEMENT_GLOBAL))
		is_same = (Word)ct_summary_load(address, bytes) == bits;
	ct_shared_load_pair(CT_COUNT_AT(state, area), &area, &row);
	ct_shared_load_pair(CT_COUNT_AT(state, summaries), &summaries, &objects);
	index = ct_count_index(state, area, site);
	at = summaries + sizeof(struct ct_counts_summary) * index;
	if (!__all_sync(mask, !ct_summary_is_news(objects, at, element, bits, address)))
		ct_summary_extend(area, at, element, bits, address, mask);
	ct_group_init(&g, mask);
	if (!is_store)
		is_same = bits == (Word)ct_from_lane(&g, bits, g.leader);
	zeros = __popc(ct_lanes_where(mask, ct_summary_is_zero(scalar, bytes, bits)));
	same = __popc(ct_lanes_where(mask, is_same));
	ct_summary_count(row + sizeof(struct ct_counts_site) * index, &g, times, zeros, same);
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
