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
#ifndef CT_DEVICE_RT_SUMMARY_H
#define CT_DEVICE_RT_SUMMARY_H

#include "device-rt/summary_note.cuh"

/* As ct_count_begin of launches of this tier, by all lanes: with what the hooks here read. */
CT_INLINE void ct_summary_begin(uint32_t state, uint64_t context, uint32_t flags)
{
	uint64_t area = ct_load64(CT_CONTEXT(context, counts) + 8ull * CT_COUNTS_AREA_OF(flags));
	uint64_t sites, units, tables = CT_COUNTS_AT(area, struct ct_counts_area, summaries);
	uint32_t none = CT_COUNTS_AT(area, struct ct_counts_area, site_count), sm = ct_sm();
	uint32_t tag, arch, first, count;

	ct_load64_pair(area, &sites, &units);
	ct_load4(units + sizeof(struct ct_counts_unit) * CT_COUNTS_UNIT_OF(flags), &tag, &arch,
		 &first, &count);
	sites += (uint64_t)sizeof(struct ct_counts_site) *
		 (first + (none + 1) * (sm % CT_COUNTS_REPLICAS));
	tables += (uint64_t)sizeof(struct ct_counts_summary) *
		  (first + (none + 1) * (sm % CT_SUMMARY_ROWS));
	ct_shared_store_pair(CT_COUNT_AT(state, cursor), CT_CURSOR_IDLE, 0);
	ct_shared_store_pair(CT_COUNT_AT(state, area), area, sites);
	ct_shared_store4(CT_COUNT_AT(state, first), first, count, arch, none);
	ct_shared_store64(CT_COUNT_AT(state, tables), tables);
	ct_shared_store(CT_AT(state, mode), CT_MODE_VALUES);
}

/* Loads the memory there. */
CT_INLINE uint64_t ct_summary_load(uint64_t address, uint32_t element)
{
	const uint32_t bytes = CT_ELEMENT_BYTES(element);
	uint64_t value = 0;

	if ((element & CT_ELEMENT_ALIGNED) || !(address & (bytes - 1)))
		return bytes == 8   ? ct_load64(address)
		       : bytes == 4 ? ct_load(address)
		       : bytes == 2 ? ct_load16(address)
				    : ct_load8(address);
#pragma unroll 1
	for (uint32_t i = 0; i < bytes; i++)
		value |= (uint64_t)ct_load8(address + i) << 8 * i;
	return value;
}

/* Four counters by as many lanes as there are. */
CT_OUT_OF_LINE void ct_summary_count_few(uint64_t to, uint32_t times, uint32_t zeros, uint32_t same,
					 uint32_t mask)
{
	struct ct_group g;

	ct_group_init(&g, mask);
#pragma unroll 1
	for (uint32_t i = g.rank; i < 4; i += __popc(mask))
		ct_reduce_add(to + 8 * i, __popc(i == 0   ? times
						 : i == 1 ? mask
						 : i == 2 ? zeros
							  : same));
	__syncwarp(mask);
}

/* By the lanes of mask. times: 1 or 0; zeros, same: lanes of it. */
CT_INLINE void ct_summary_count(uint64_t to, uint32_t times, uint32_t zeros, uint32_t same,
				uint32_t mask)
{
	uint32_t lane = ct_lane(), even = lane & 2 ? zeros : times, odd = lane & 2 ? same : mask;

	if ((mask & 15) != 15)
		ct_summary_count_few(to, times, zeros, same, mask);
	else
		ct_reduce_add_if(lane < 4, ct_word_at(to, 2 * lane), __popc(lane & 1 ? odd : even));
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

/* Computes what summary.h keeps of an element, without halves of words that are known to be 0. */
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
		return bits ^ (Word)(-(Word)(bits >> (8 * sizeof(Word) - 1)) | sign);
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

/*
 * Whether some of a lane's elements, of as many sites, tells more of its type than the site has,
 * which is the same in all lanes. Most often all sites know all there is of them, or nothing: their
 * elements are whole numbers.
 */
template <typename Word>
CT_INLINE bool ct_summary_tell_more(uint32_t element, uint32_t members, const Word *bits,
				    const uint32_t *has)
{
	const uint32_t all =
	    ct_summary_properties_all(CT_ELEMENT_SCALAR(element), CT_ELEMENT_BYTES(element));
	uint32_t every = all, some = 0;
	bool is_more = false;

#pragma unroll
	for (uint32_t k = 0; k < CT_GROUP_MEMBERS; k++)
		if (k < members) {
			every &= has[k];
			some |= has[k];
		}
	if (every == all)
		return false;
	if (sizeof(Word) == 4 && ct_summary_word<Word>::is_whole(element) && !(some & all)) {
		/* That a larger one may be nothing new is not worth more code: it is looked at
		 * then. */
#pragma unroll
		for (uint32_t k = 0; k < CT_GROUP_MEMBERS; k++)
			if (k < members)
				is_more |= !ct_is_small_whole((uint32_t)bits[k]);
		return is_more;
	}
#pragma unroll
	for (uint32_t k = 0; k < CT_GROUP_MEMBERS; k++)
		if (k < members)
			is_more |= (ct_summary_word<Word>::properties(element, bits[k]) & all &
				    ~has[k]) != 0;
	return is_more;
}

/* Whether the lane's element may be news to what the first cache has of the summary, but for where
 * it is and its type. */
template <typename Word>
CT_INLINE bool ct_summary_is_news(uint64_t at, uint32_t element, Word bits, uint32_t *has)
{
	const uint32_t bytes = CT_ELEMENT_BYTES(element);
	uint32_t hash = ct_summary_hash(bytes, bits), map;
	Word key = ct_summary_word<Word>::key(element, bits);
	uint64_t high, low;
	bool is_news;

	map =
	    ct_load(ct_word_at(at, ct_summary_map(hash)) + offsetof(struct ct_counts_summary, map));
	ct_load64_pair(at, &high, &low);
	*has = ct_load(at + offsetof(struct ct_counts_summary, properties));
	is_news = !(map & ct_summary_bit(hash));
	/* The key of NaN is always beyond: to see that it is known would cost all others more. */
	is_news |= key > (Word)high || key < (Word)(ct_summary_ones(bytes) - low);
	if ((element & CT_ELEMENT_STORE) && !(element & CT_ELEMENT_GLOBAL))
		is_news |= !(*has & CT_PROPERTY_UNFOUND);
	return is_news;
}

/* One element of each lane of mask, of the site of this index, and counted. times: 1 if the
 * execution counts with it. Word holds it. */
template <typename Word>
CT_INLINE void ct_summary_element(uint32_t state, int32_t index, uint32_t element, uint32_t times,
				  Word bits, uint64_t address, uint32_t mask)
{
	const bool is_global = element & CT_ELEMENT_GLOBAL, is_store = element & CT_ELEMENT_STORE;
	uint64_t row, at = ct_shared_load64(CT_COUNT_AT(state, tables));
	uint32_t zeros, same, has;
	bool is_same = false, is_news;

	at += (int64_t)sizeof(struct ct_counts_summary) * index;
	if (is_store && is_global)
		is_same = (Word)ct_summary_load(address, element) == bits;
	is_news = ct_summary_is_news<Word>(at, element, bits, &has);
	if (is_global)
		is_news |=
		    ct_summary_is_outside(at + offsetof(struct ct_counts_summary, own), address);
	is_news |= ct_summary_tell_more<Word>(element, 1, &bits, &has);
	if (!is_store)
		is_same = bits == (Word)__shfl_sync(mask, bits, __ffs(mask) - 1);
	is_news = __any_sync(mask, is_news);
	zeros = ct_lanes_where(mask, ct_summary_word<Word>::is_zero(element, bits));
	same = ct_lanes_where(mask, is_same);
	row = ct_shared_load64(CT_COUNT_AT(state, row));
	ct_summary_count(row + (int64_t)sizeof(struct ct_counts_site) * index, times, zeros, same,
			 mask);
	if (is_news)
		ct_summary_extend_one(state, index, element, bits, address, mask);
}

/* Loads of a whole warp by `members` sites from this index on, at most CT_GROUP_MEMBERS: their
 * counters stand side by side, and four lanes have those of each. */
template <typename Word>
CT_INLINE void ct_summary_members(uint32_t state, int32_t index, uint32_t element, uint32_t members,
				  const uint64_t *values, const uint64_t *distances,
				  uint64_t address)
{
	uint32_t lane = ct_lane(), own = lane & 1 ? CT_FULL_MASK : 1;
	uint64_t row, at = ct_shared_load64(CT_COUNT_AT(state, tables));
	uint32_t has[CT_GROUP_MEMBERS];
	Word bits[CT_GROUP_MEMBERS];
	bool is_news = false;

	at += (int64_t)sizeof(struct ct_counts_summary) * index;
	if (element & CT_ELEMENT_GLOBAL)
		is_news =
		    ct_summary_is_outside(at + offsetof(struct ct_counts_summary, group), address);
#pragma unroll
	for (uint32_t k = 0; k < CT_GROUP_MEMBERS; k++)
		if (k < members) {
			uint32_t zeros, same;

			bits[k] = (Word)values[k];
			is_news |= ct_summary_is_news<Word>(
			    at + sizeof(struct ct_counts_summary) * k, element, bits[k], &has[k]);
			same = __ballot_sync(
			    CT_FULL_MASK, bits[k] == (Word)__shfl_sync(CT_FULL_MASK, bits[k], 0));
			zeros = __ballot_sync(CT_FULL_MASK,
					      ct_summary_word<Word>::is_zero(element, bits[k]));
			zeros = lane & 1 ? same : zeros;
			own = lane / 2 == 2 * k + 1 ? zeros : own;
		}
	is_news |= ct_summary_tell_more<Word>(element, members, bits, has);
	row = ct_shared_load64(CT_COUNT_AT(state, row));
	ct_reduce_add_if(lane < 4 * members,
			 ct_word_at(row + (int64_t)sizeof(struct ct_counts_site) * index, 2 * lane),
			 __popc(own));
	if (__any_sync(CT_FULL_MASK, is_news))
		ct_summary_extend_group(state, index, element, members, address, values[0],
					values[1], values[2], values[3], values[4], values[5],
					distances[1], distances[2], distances[3], distances[4],
					distances[5]);
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
#define CT_ELEMENT_WORD(scalar, effect)                                                            \
	CT_ELEMENT(scalar, 2, (effect) | CT_ELEMENT_GLOBAL | CT_ELEMENT_ALIGNED)

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
