/* SPDX-License-Identifier: Apache-2.0 */
/* Choose and write the record of the values of one access, as trace/encode_value.c does. */
#ifndef CT_DEVICE_RT_VALUE_H
#define CT_DEVICE_RT_VALUE_H

#include "device-rt/append.cuh"

/* All ones in the low `bytes` bytes of a word. */
CT_INLINE uint64_t ct_ones(uint32_t bytes)
{
	return bytes >= 8 ? ~0ull : (1ull << 8 * bytes) - 1;
}

/* Values that grow by rank: from the first to the second, sign-extended from their width. */
CT_INLINE bool ct_value_step(const struct ct_group *g, uint32_t bytes, uint64_t low, uint64_t first,
			     int64_t *step)
{
	uint32_t rest = g->mask & (g->mask - 1), unused = 64 - 8 * bytes;

	if (bytes > 8 || !rest)
		return false;
	*step = (int64_t)((ct_from_lane(g, low, __ffs(rest) - 1) - first) << unused) >> unused;
	return __all_sync(g->mask, ((first + g->rank * (uint64_t)*step) & ct_ones(bytes)) == low);
}

CT_INLINE uint64_t ct_value_head(uint32_t part, uint32_t bytes, uint32_t mask)
{
	return (uint64_t)CT_REC_VALUE << CT_RECORD_KIND_SHIFT |
	       (uint64_t)part << CT_VALUE_PART_SHIFT | (uint64_t)bytes << CT_VALUE_BYTES_SHIFT |
	       mask;
}

/* The first of all lanes' values, and how they grow, if is_linear. */
template <typename Word> struct ct_value_line {
	Word first, step;
	bool is_linear;
};

template <typename Word> CT_INLINE struct ct_value_line<Word> ct_value_line_of(Word value) {
	struct ct_value_line<Word> line;

	line.first = __shfl_sync(CT_FULL_MASK, value, 0);
	line.step = __shfl_sync(CT_FULL_MASK, value, 1) - line.first;
	line.is_linear =
	    __all_sync(CT_FULL_MASK, value == (Word)(line.first + ct_lane() * line.step));
	return line;
}

/* By all lanes: write a value record at `at`, where there is room. head: without shape. Returns
 * its bytes. */
template <typename Word>
CT_INLINE uint32_t ct_value_put(uint64_t at, uint64_t head, Word value,
				const struct ct_value_line<Word> &line)
{
	uint32_t lane = ct_lane(), shape = CT_VALUE_RAW, payload = CT_WARP_LANES * sizeof(Word);
	Word first = line.first, step = line.step;

	if (line.is_linear) {
		shape = step ? CT_VALUE_AFFINE : first ? CT_VALUE_UNIFORM : CT_VALUE_ZERO;
		payload = step ? 16 : first ? 8 : 0;
		if (lane == 0 && first | step)
			ct_store64(at + 8, first);
		if (lane == 1 && step)
			ct_store64(at + 16, sizeof(Word) == 4 ? (int64_t)(int32_t)step : step);
	} else if (sizeof(Word) == 4) {
		ct_store32(at + 8 + 4 * lane, (uint32_t)value);
	} else {
		ct_store64(at + 8 + 8 * lane, value);
	}
	if (lane == 0)
		ct_store64(at, head | (uint64_t)shape << CT_VALUE_SHAPE_SHIFT);
	return 8 + payload;
}

/*
 * All 32 lanes, values of a word of 4 or 8 bytes, with room in the chunk. False,
 * with nothing written, if all this does not hold; where nothing is recorded
 * there is no room. The cursor is as the record of the access left it, for the
 * end of which all lanes have waited. head: without shape.
 */
template <typename Word> CT_INLINE bool ct_value_full(uint32_t warp, uint64_t head, Word value)
{
	struct ct_value_line<Word> line;
	uint64_t cursor, end;
	uint32_t bytes;

	if (!__all_sync(CT_FULL_MASK, warp != CT_STATE_OFF))
		return false;
	ct_shared_load_pair(CT_AT(warp, cursor), &cursor, &end);
	line = ct_value_line_of(value);
	if (cursor + CT_ROOM_BYTES > end)
		return false;
	bytes = ct_value_put(cursor, head, value, line);
	if (ct_lane() == 0)
		ct_shared_store64(CT_AT(warp, cursor), cursor + bytes);
	__syncwarp();
	return true;
}

CT_OUT_OF_LINE bool ct_value_full4(uint32_t warp, uint64_t head, uint32_t value)
{
	return ct_value_full(warp, head, value);
}

CT_OUT_OF_LINE bool ct_value_full8(uint32_t warp, uint64_t head, uint64_t value)
{
	return ct_value_full(warp, head, value);
}

/* The same of values of 16 bytes, which are in progression only if they are equal. */
CT_OUT_OF_LINE bool ct_value_full16(uint32_t warp, uint64_t head, uint64_t low, uint64_t high)
{
	uint32_t lane = ct_lane(), shape = CT_VALUE_RAW, payload = CT_WARP_LANES * 16;
	uint64_t cursor, end, first_low, first_high;

	if (!__all_sync(CT_FULL_MASK, warp != CT_STATE_OFF))
		return false;
	ct_shared_load_pair(CT_AT(warp, cursor), &cursor, &end);
	if (cursor + 8 + payload > end)
		return false;
	first_low = __shfl_sync(CT_FULL_MASK, low, 0);
	first_high = __shfl_sync(CT_FULL_MASK, high, 0);
	if (__all_sync(CT_FULL_MASK, low == first_low && high == first_high)) {
		shape = low | high ? CT_VALUE_UNIFORM : CT_VALUE_ZERO;
		payload = low | high ? 16 : 0;
		lane = lane || !payload ? CT_WARP_LANES : 0;
	}
	if (lane < CT_WARP_LANES) {
		ct_store64(cursor + 8 + 16 * lane, low);
		ct_store64(cursor + 16 + 16 * lane, high);
	}
	if (ct_lane() == 0) {
		ct_store64(cursor, head | (uint64_t)shape << CT_VALUE_SHAPE_SHIFT);
		ct_shared_store64(CT_AT(warp, cursor), cursor + 8 + payload);
	}
	__syncwarp();
	return true;
}

/* As ct_value_full, of N accesses in a row, of as many sites from that of head on. Their lines are
 * looked for before anything is written, so that none waits for another. */
template <uint32_t N, typename Word>
CT_INLINE bool ct_values_full(uint32_t warp, uint64_t head, Word v0, Word v1, Word v2, Word v3,
			      Word v4, Word v5)
{
	const Word value[] = {v0, v1, v2, v3, v4, v5};
	struct ct_value_line<Word> line[N];
	uint64_t cursor, end;

	ct_shared_load_pair(CT_AT(warp, cursor), &cursor, &end);
	if (cursor + N * (8 + CT_WARP_LANES * sizeof(Word)) > end)
		return false;
#pragma unroll
	for (uint32_t k = 0; k < N; k++)
		line[k] = ct_value_line_of(value[k]);
#pragma unroll
	for (uint32_t k = 0; k < N; k++)
		cursor +=
		    ct_value_put(cursor, head + ((uint64_t)k << CT_SITE_SHIFT), value[k], line[k]);
	if (ct_lane() == 0)
		ct_shared_store64(CT_AT(warp, cursor), cursor);
	__syncwarp();
	return true;
}

#define CT_VALUES_FULL(n)                                                                          \
	CT_OUT_OF_LINE bool ct_values_full4_##n(uint32_t warp, uint64_t head, uint32_t v0,         \
						uint32_t v1, uint32_t v2, uint32_t v3,             \
						uint32_t v4, uint32_t v5)                          \
	{                                                                                          \
		return ct_values_full<n>(warp, head, v0, v1, v2, v3, v4, v5);                      \
	}                                                                                          \
	CT_OUT_OF_LINE bool ct_values_full8_##n(uint32_t warp, uint64_t head, uint64_t v0,         \
						uint64_t v1, uint64_t v2, uint64_t v3,             \
						uint64_t v4, uint64_t v5)                          \
	{                                                                                          \
		return ct_values_full<n>(warp, head, v0, v1, v2, v3, v4, v5);                      \
	}

CT_VALUES_FULL(2)
CT_VALUES_FULL(3)
CT_VALUES_FULL(4)
CT_VALUES_FULL(5)
CT_VALUES_FULL(6)

static_assert(CT_GROUP_MEMBERS == 6, "a path for each number of members");

/* Inlined, where n and bytes are constants: the function of that many. */
CT_INLINE bool ct_values_of_group(uint32_t warp, uint64_t site, uint32_t bytes, uint32_t n,
				  uint64_t v0, uint64_t v1, uint64_t v2, uint64_t v3, uint64_t v4,
				  uint64_t v5)
{
	uint64_t head = ct_value_head(CT_PART_VALUE, bytes, CT_FULL_MASK) | site << CT_SITE_SHIFT;

#define CT_VALUES_CASE(number)                                                                     \
	if (n == number)                                                                           \
		return bytes == 4                                                                  \
			   ? ct_values_full4_##number(warp, head, (uint32_t)v0, (uint32_t)v1,      \
						      (uint32_t)v2, (uint32_t)v3, (uint32_t)v4,    \
						      (uint32_t)v5)                                \
			   : ct_values_full8_##number(warp, head, v0, v1, v2, v3, v4, v5);
	CT_VALUES_CASE(2)
	CT_VALUES_CASE(3)
	CT_VALUES_CASE(4)
	CT_VALUES_CASE(5)
	CT_VALUES_CASE(6)
#undef CT_VALUES_CASE
	return false;
}

/* Any values. mask: the calling lanes. */
CT_OUT_OF_LINE void ct_value_any(uint32_t warp, uint64_t site, uint32_t part, uint32_t bytes,
				 uint64_t low, uint64_t high, uint32_t mask)
{
	uint64_t first_low, first_high, head;
	uint32_t shape = CT_VALUE_RAW, layout = bytes;
	struct ct_group g;
	int64_t step;

	mask = ct_active(warp, mask);
	if (!mask || ct_is_counting(warp))
		return;
	ct_group_init(&g, mask);
	low &= ct_ones(bytes);
	high = bytes > 8 ? high & ct_ones(bytes - 8) : 0;
	first_low = ct_from_lane(&g, low, g.leader);
	first_high = bytes > 8 ? ct_from_lane(&g, high, g.leader) : 0;
	if (__all_sync(mask, low == first_low && high == first_high)) {
		shape = first_low | first_high ? CT_VALUE_UNIFORM : CT_VALUE_ZERO;
		layout = shape == CT_VALUE_ZERO ? 0 : bytes > 8 ? 16 : 8;
		layout |= CT_WRITE_LEADER;
	} else if (ct_value_step(&g, bytes, low, first_low, &step)) {
		shape = CT_VALUE_AFFINE;
		layout = 16 | CT_WRITE_LEADER;
		high = (uint64_t)step;
	}
	head = ct_value_head(part, bytes, mask) | (uint64_t)shape << CT_VALUE_SHAPE_SHIFT;
	ct_write(warp, mask, site, head, layout, low, high);
}

/* As __ct_value of hooks.def, by the lanes of mask. */
CT_INLINE void ct_value(uint32_t warp, uint64_t site, uint32_t part, uint32_t bytes, uint64_t low,
			uint64_t high, uint32_t mask)
{
	uint64_t head = ct_value_head(part, bytes, CT_FULL_MASK) | site << CT_SITE_SHIFT;
	bool done = false;

	if (mask == CT_FULL_MASK && site < CT_SITE_EXTENDED && bytes == 4)
		done = ct_value_full4(warp, head, (uint32_t)low);
	if (mask == CT_FULL_MASK && site < CT_SITE_EXTENDED && bytes == 8)
		done = ct_value_full8(warp, head, low);
	if (mask == CT_FULL_MASK && site < CT_SITE_EXTENDED && bytes == 16)
		done = ct_value_full16(warp, head, low, high);
	if (!done)
		ct_value_any(warp, site, part, bytes, low, high, mask);
}

#endif
