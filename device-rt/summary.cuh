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

/* Whether [address, address + bytes) is in the object that a hint names. Before the first object
 * there are zeros. */
CT_INLINE bool ct_summary_is_in(uint64_t objects, uint32_t hint, uint64_t address, uint32_t bytes)
{
	uint64_t start, end;

	ct_load64_pair(objects + sizeof(struct ct_counts_object) * (uint64_t)hint -
			   sizeof(struct ct_counts_object),
		       &start, &end);
	return address >= start && address + bytes <= end;
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

/* The greatest over the lanes of mask. */
CT_INLINE uint32_t ct_summary_most32(uint32_t mask, uint32_t value)
{
	uint32_t most = 0;

	if (ct_is_sm80())
		return ct_most_lanes(mask, value);
#pragma unroll 1
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		uint32_t other = __shfl_sync(mask, value, __ffs(rest) - 1);

		most = other > most ? other : most;
	}
	return most;
}

CT_INLINE uint64_t ct_summary_most(uint32_t mask, uint64_t value)
{
	uint32_t high = ct_summary_most32(mask, (uint32_t)(value >> 32));
	uint32_t low = ct_summary_most32(mask, value >> 32 == high ? (uint32_t)value : 0);

	return (uint64_t)high << 32 | low;
}

/* The greatest key and complement of those lanes whose key is beyond the bounds, to memory. */
CT_INLINE void ct_summary_widen(uint64_t at, uint32_t bytes, uint64_t key, bool is_beyond,
				const struct ct_group *g)
{
	uint64_t high, low;

	if (!ct_lanes_where(g->mask, is_beyond))
		return;
	if (bytes > 4) {
		high = ct_summary_most(g->mask, is_beyond ? key : 0);
		low = ct_summary_most(g->mask, is_beyond ? ct_summary_ones(bytes) - key : 0);
	} else {
		high = ct_summary_most32(g->mask, is_beyond ? (uint32_t)key : 0);
		low = ct_summary_most32(g->mask,
					is_beyond ? (uint32_t)(ct_summary_ones(bytes) - key) : 0);
	}
	if (g->lane == g->leader) {
		ct_reduce_max(at + offsetof(struct ct_counts_summary, high), high);
		ct_reduce_max(at + offsetof(struct ct_counts_summary, low), low);
	}
}

/* The objects that the lanes elsewhere than the hint are in. */
CT_INLINE void ct_summary_move(uint64_t area, uint64_t at, uint64_t address, uint32_t bytes,
			       bool is_elsewhere, const struct ct_group *g)
{
	uint32_t object = 0, last, first;

	if (!ct_lanes_where(g->mask, is_elsewhere))
		return;
	if (is_elsewhere)
		object = ct_summary_object(area, at, address, bytes);
	__syncwarp(g->mask);
	last = ct_summary_most32(g->mask, is_elsewhere ? object : 0);
	first = ct_summary_most32(g->mask, is_elsewhere ? ~object : 0);
	if (g->lane == g->leader) {
		ct_reduce_max32(at + offsetof(struct ct_counts_summary, last), last);
		ct_reduce_max32(at + offsetof(struct ct_counts_summary, first), first);
	}
}

/*
 * By the lanes of a group, of whose elements some is news. Most often that is a bit of the maps;
 * the rest goes to memory by the first of them. All is worked out anew: what the caller has would
 * cost it registers.
 */
CT_RARE void ct_summary_extend(uint32_t state, uint64_t at, uint32_t element, uint64_t bits,
			       uint64_t address, uint32_t mask)
{
	const uint32_t bytes = CT_ELEMENT_BYTES(element), scalar = CT_ELEMENT_SCALAR(element);
	uint32_t hash = ct_summary_hash(bytes, bits), bit = ct_summary_bit(hash), has, hint;
	uint64_t map = at + offsetof(struct ct_counts_summary, map) + 4 * ct_summary_map(hash);
	bool is_nan = ct_summary_is_nan(scalar, bytes, bits);
	uint64_t key = ct_summary_key(scalar, bytes, bits), high, low, area, objects;
	uint32_t properties =
	    ct_summary_properties(scalar, bytes, bits) & ct_summary_properties_all(scalar, bytes);
	struct ct_group g;

	if (!(ct_load(map) & bit))
		ct_reduce_or32(map, bit);
	ct_group_init(&g, mask);
	ct_load64_pair(at, &high, &low);
	ct_summary_widen(at, bytes, key,
			 !is_nan && (key > high || ct_summary_ones(bytes) - key > low), &g);
	properties |= is_nan ? CT_PROPERTY_NAN : 0;
	if ((element & CT_ELEMENT_STORE) && !(element & CT_ELEMENT_GLOBAL))
		properties |= CT_PROPERTY_UNFOUND;
	has = ct_load(at + offsetof(struct ct_counts_summary, properties));
	if (properties & ~has)
		ct_reduce_or32(at + offsetof(struct ct_counts_summary, properties), properties);
	__syncwarp(mask);
	if (!(element & CT_ELEMENT_GLOBAL))
		return;
	area = ct_shared_load64(CT_COUNT_AT(state, area));
	objects = ct_shared_load64(CT_COUNT_AT(state, objects));
	hint = ct_load(at + offsetof(struct ct_counts_summary, hint));
	ct_summary_move(area, at, address, bytes, !ct_summary_is_in(objects, hint, address, bytes),
			&g);
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

/* Four counters, a byte of values each, by as many lanes as there are. */
CT_OUT_OF_LINE void ct_summary_count_few(uint64_t to, uint32_t values, uint32_t mask)
{
	struct ct_group g;

	ct_group_init(&g, mask);
#pragma unroll 1
	for (uint32_t i = g.rank; i < 4; i += __popc(mask))
		ct_reduce_add(to + 8 * i, values >> 8 * i & 0xff);
	__syncwarp(mask);
}

/* values: of zeros and what is the same in bytes 2 and 3, executions in byte 0. */
CT_INLINE void ct_summary_count(uint64_t to, uint32_t mask, uint32_t values)
{
	uint32_t lane = ct_lane();

	values |= (uint32_t)__popc(mask) << 8;
	if ((mask & 15) != 15)
		ct_summary_count_few(to, values, mask);
	else if (lane < 4)
		ct_reduce_add(to + 8 * lane, values >> 8 * lane & 0xff);
}

/* ct_summary_properties of a float of 4 bytes, by conversions. */
CT_INLINE uint32_t ct_summary_single(uint32_t bits)
{
	const uint32_t size = bits << 1, is_nan = size > 0xff000000u,
		       limit = 0x9f000000u; /* 2^32 */
	uint32_t properties = 0;

	if (ct_whole_part(bits) != bits || size > limit || bits == 0x80000000u)
		properties |= CT_PROPERTY_FRACTION;
	if (ct_through_half(bits) != bits && !is_nan)
		properties |= CT_PROPERTY_NO_HALF;
	return properties;
}

/* What summary.h says of an element, without halves of words that are known to be 0. */
template <typename Word> struct ct_summary_word {
	CT_INLINE bool is_whole(uint32_t element)
	{
		return CT_ELEMENT_BYTES(element) == sizeof(Word) &&
		       ct_summary_is_float(CT_ELEMENT_SCALAR(element));
	}

	CT_INLINE Word key(uint32_t element, Word bits)
	{
		const Word sign = (Word)1 << (8 * sizeof(Word) - 1);

		if (!is_whole(element))
			return (Word)ct_summary_key(CT_ELEMENT_SCALAR(element),
						    CT_ELEMENT_BYTES(element), bits);
		return bits ^ (bits & sign ? (Word) ~(Word)0 : sign);
	}

	CT_INLINE bool is_nan(uint32_t element, Word bits)
	{
		const Word infinity =
		    (Word)(sizeof(Word) == 8 ? 0x7ff0000000000000ull : 0x7f800000u);

		if (!is_whole(element))
			return ct_summary_is_nan(CT_ELEMENT_SCALAR(element),
						 CT_ELEMENT_BYTES(element), bits);
		return (Word)(bits << 1) > (Word)(infinity << 1);
	}

	CT_INLINE uint32_t properties(uint32_t element, Word bits)
	{
		if (sizeof(Word) == 4 && is_whole(element))
			return ct_summary_single((uint32_t)bits);
		return ct_summary_properties(CT_ELEMENT_SCALAR(element), CT_ELEMENT_BYTES(element),
					     bits);
	}

	CT_INLINE bool is_zero(uint32_t element, Word bits)
	{
		if (is_whole(element))
			return !(Word)(bits << 1);
		return ct_summary_is_float(CT_ELEMENT_SCALAR(element))
			   ? ct_summary_is_zero(CT_ELEMENT_SCALAR(element),
						CT_ELEMENT_BYTES(element), bits)
			   : !bits;
	}
};

/* Whether the lane's element is news to what the first cache has of the summary. */
template <typename Word>
CT_INLINE bool ct_summary_is_news(uint64_t objects, uint64_t at, uint32_t element, Word bits,
				  uint64_t address)
{
	const uint32_t bytes = CT_ELEMENT_BYTES(element), scalar = CT_ELEMENT_SCALAR(element);
	const uint32_t all = ct_summary_properties_all(scalar, bytes);
	uint32_t hash = ct_summary_hash(bytes, bits), map, has, hint;
	Word key = ct_summary_word<Word>::key(element, bits);
	uint64_t high, low;
	bool is_news;

	map = ct_load(at + offsetof(struct ct_counts_summary, map) + 4 * ct_summary_map(hash));
	ct_load64_pair(at, &high, &low);
	ct_load_pair(at + offsetof(struct ct_counts_summary, properties), &has, &hint);
	is_news = !(map & ct_summary_bit(hash));
	/* The key of NaN is always beyond. */
	if (key > (Word)high || key < (Word)(ct_summary_ones(bytes) - low))
		is_news |=
		    !(ct_summary_word<Word>::is_nan(element, bits) && (has & CT_PROPERTY_NAN));
	if ((has & all) != all)
		is_news |= (ct_summary_word<Word>::properties(element, bits) & all & ~has) != 0;
	if (element & CT_ELEMENT_GLOBAL)
		is_news |= !ct_summary_is_in(objects, hint, address, bytes);
	else if (element & CT_ELEMENT_STORE)
		is_news |= !(has & CT_PROPERTY_UNFOUND);
	return is_news;
}

/* One element of each lane of mask, whose site has its summary there. Word holds it. Returns what
 * there is to count, as ct_summary_count takes it. */
template <typename Word>
CT_INLINE uint32_t ct_summary_note(uint32_t state, uint64_t at, uint64_t objects, uint32_t element,
				   Word bits, uint64_t address, uint32_t mask)
{
	const uint32_t bytes = CT_ELEMENT_BYTES(element);
	const bool is_store = element & CT_ELEMENT_STORE;
	uint32_t zeros, same;
	bool is_same = false;

	if (is_store && (element & CT_ELEMENT_GLOBAL))
		is_same = (Word)ct_summary_load(address, bytes) == bits;
	if (!__all_sync(mask, !ct_summary_is_news<Word>(objects, at, element, bits, address)))
		ct_summary_extend(state, at, element, bits, address, mask);
	if (!is_store)
		is_same = bits == (Word)__shfl_sync(mask, bits, __ffs(mask) - 1);
	zeros = __popc(ct_lanes_where(mask, ct_summary_word<Word>::is_zero(element, bits)));
	same = __popc(ct_lanes_where(mask, is_same));
	return zeros << 16 | same << 24;
}

/* The same, of the site of this index, and counted. times: 1 if the execution counts with it. */
template <typename Word>
CT_INLINE void ct_summary_element(uint32_t state, int32_t index, uint32_t element, uint32_t times,
				  Word bits, uint64_t address, uint32_t mask)
{
	uint64_t row, at, objects;
	uint32_t values;

	ct_shared_load_pair(CT_COUNT_AT(state, tables), &at, &objects);
	at += (int64_t)sizeof(struct ct_counts_summary) * index;
	values = times | ct_summary_note<Word>(state, at, objects, element, bits, address, mask);
	row = ct_shared_load64(CT_COUNT_AT(state, row));
	ct_summary_count(row + (int64_t)sizeof(struct ct_counts_site) * index, mask, values);
	__syncwarp(mask);
}

/* Loads of a whole warp by `members` sites from this index on, at most 8: their counters stand side
 * by side, and four lanes have those of each. */
template <typename Word>
CT_INLINE void ct_summary_members(uint32_t state, int32_t index, uint32_t element, uint32_t members,
				  const uint64_t *values, const uint64_t *distances,
				  uint64_t address)
{
	uint32_t lane = ct_lane(), own = 0;
	uint64_t row, at, objects;

	ct_shared_load_pair(CT_COUNT_AT(state, tables), &at, &objects);
	at += (int64_t)sizeof(struct ct_counts_summary) * index;
#pragma unroll
	for (uint32_t k = 0; k < CT_GROUP_MEMBERS; k++)
		if (k < members) {
			uint32_t noted = ct_summary_note<Word>(
			    state, at + sizeof(struct ct_counts_summary) * k, objects, element,
			    (Word)values[k], address + distances[k], CT_FULL_MASK);

			own = lane / 4 == k ? noted : own;
		}
	row = ct_shared_load64(CT_COUNT_AT(state, row));
	own |= 1 | CT_WARP_LANES << 8;
	if (lane < 4 * members)
		ct_reduce_add(row + (int64_t)sizeof(struct ct_counts_site) * index + 8 * lane,
			      own >> 8 * (lane & 3) & 0xff);
	__syncwarp();
}

CT_INLINE int32_t ct_summary_index(uint32_t state, uint64_t site)
{
	return ct_count_index(state, ct_shared_load64(CT_COUNT_AT(state, area)), site);
}

/* Elements of 4 bytes, one to a lane, have code of their own. */
#define CT_SUMMARY_WORD(name, element)                                                             \
	CT_OUT_OF_LINE void name(uint32_t state, uint64_t site, uint32_t bits, uint64_t address,   \
				 uint32_t mask)                                                    \
	{                                                                                          \
		ct_summary_element<uint32_t>(state, ct_summary_index(state, site), element, 1,     \
					     bits, address, mask);                                 \
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
	int32_t index = ct_summary_index(state, site);

#pragma unroll 1
	for (uint32_t at = 0; at < bytes; at += size) {
		uint64_t word = (at < 8 ? low : high) >> 8 * (at & 7);

		ct_summary_element<uint64_t>(state, index, element, times && at == 0,
					     word & ct_summary_ones(size), address + at, mask);
	}
}

/* As __ct_value of hooks.def, by the lanes of mask. Only the first part of an access counts as its
 * execution. */
CT_INLINE void ct_summary_value(uint32_t state, uint64_t site, uint32_t part, uint32_t element,
				uint32_t bytes, uint64_t low, uint64_t high, uint64_t address,
				uint32_t mask)
{
	bool is_word = bytes == 4 && part == 0;

	if (is_word && element == CT_ELEMENT_WORD(CT_SCALAR_INTEGER, CT_ELEMENT_LOAD))
		ct_summary_load_integer(state, site, (uint32_t)low, address, mask);
	else if (is_word && element == CT_ELEMENT_WORD(CT_SCALAR_INTEGER, CT_ELEMENT_STORE))
		ct_summary_store_integer(state, site, (uint32_t)low, address, mask);
	else if (is_word && element == CT_ELEMENT_WORD(CT_SCALAR_FLOAT, CT_ELEMENT_LOAD))
		ct_summary_load_float(state, site, (uint32_t)low, address, mask);
	else if (is_word && element == CT_ELEMENT_WORD(CT_SCALAR_FLOAT, CT_ELEMENT_STORE))
		ct_summary_store_float(state, site, (uint32_t)low, address, mask);
	else
		ct_summary_any(state, site, element, bytes, low, high, address, part == 0, mask);
}

/* The same where it is inlined: of an element of a word, whose site, element and bytes are
 * constants. */
CT_INLINE void ct_summary_inline(uint32_t state, uint64_t site, uint32_t part, uint32_t element,
				 uint32_t bytes, uint64_t low, uint64_t high, uint64_t address,
				 uint32_t mask)
{
	int32_t index = (int32_t)site;

	if (site >> 32 || bytes != CT_ELEMENT_BYTES(element))
		ct_summary_value(state, site, part, element, bytes, low, high, address, mask);
	else if (bytes == 8)
		ct_summary_element<uint64_t>(state, index, element, part == 0, low, address, mask);
	else
		ct_summary_element<uint32_t>(state, index, element, part == 0,
					     (uint32_t)(low & ct_summary_ones(bytes)), address,
					     mask);
}

/* As __ct_group_values of hooks.def, likewise inlined; values and distances of all members. */
CT_INLINE void ct_summary_group(uint32_t state, uint64_t site, uint32_t element, uint32_t bytes,
				uint32_t members, const uint64_t *values, const uint64_t *distances,
				uint64_t address, uint32_t mask)
{
	if (mask == CT_FULL_MASK && bytes == CT_ELEMENT_BYTES(element)) {
		if (bytes == 8)
			ct_summary_members<uint64_t>(state, (int32_t)site, element, members, values,
						     distances, address);
		else
			ct_summary_members<uint32_t>(state, (int32_t)site, element, members, values,
						     distances, address);
		return;
	}
#pragma unroll
	for (uint32_t k = 0; k < CT_GROUP_MEMBERS; k++)
		if (k < members)
			ct_summary_value(state, site + k, 0, element, bytes, values[k], 0,
					 address + distances[k], mask);
}

#endif
