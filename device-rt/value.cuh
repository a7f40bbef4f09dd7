/* SPDX-License-Identifier: Apache-2.0 */
/* Choose and write the record of the values of one access, as trace/encode_value.c does. */
#ifndef CT_DEVICE_VALUE_CUH
#define CT_DEVICE_VALUE_CUH

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

/*
 * All 32 lanes, values of a word of 4 or 8 bytes, with room in the chunk. False,
 * with nothing written, if all this does not hold; where nothing is recorded
 * there is no room. The cursor is as the record of the access left it, for the
 * end of which all lanes have waited. head: without shape.
 */
template <typename Word> CT_INLINE bool ct_value_full(uint32_t warp, uint64_t head, Word value)
{
	uint32_t lane = ct_lane(), shape = CT_VALUE_RAW, payload = CT_WARP_LANES * sizeof(Word);
	uint64_t cursor, end;
	Word first, step;

	if (!__all_sync(CT_FULL_MASK, warp != CT_STATE_OFF))
		return false;
	ct_shared_load_pair(CT_AT(warp, cursor), &cursor, &end);
	first = __shfl_sync(CT_FULL_MASK, value, 0);
	step = __shfl_sync(CT_FULL_MASK, value, 1) - first;
	if (cursor + CT_ROOM_BYTES > end)
		return false;
	if (__all_sync(CT_FULL_MASK, value == (Word)(first + lane * step))) {
		shape = step ? CT_VALUE_AFFINE : first ? CT_VALUE_UNIFORM : CT_VALUE_ZERO;
		payload = step ? 16 : first ? 8 : 0;
		if (lane == 0 && first | step)
			ct_store64(cursor + 8, first);
		if (lane == 1 && step)
			ct_store64(cursor + 16, sizeof(Word) == 4 ? (int64_t)(int32_t)step : step);
	} else if (sizeof(Word) == 4) {
		ct_store32(cursor + 8 + 4 * lane, (uint32_t)value);
	} else {
		ct_store64(cursor + 8 + 8 * lane, value);
	}
	if (lane == 0) {
		ct_store64(cursor, head | (uint64_t)shape << CT_VALUE_SHAPE_SHIFT);
		ct_shared_store64(CT_AT(warp, cursor), cursor + 8 + payload);
	}
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
	if (!done)
		ct_value_any(warp, site, part, bytes, low, high, mask);
}

#endif
