/* SPDX-License-Identifier: Apache-2.0 */
/* Choose and write the record of the values of one access, as trace/encode_value.c does. */
#ifndef CT_DEVICE_VALUE_CUH
#define CT_DEVICE_VALUE_CUH

#include "append.cuh"

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

/* ct_write for all 32 lanes and a site that fits the record's field: nobody to wait for, and
 * stores as wide as values are. bytes: 4, 8 or 16 if every lane adds its value. */
CT_INLINE void ct_value_write_full(uint32_t warp, uint64_t head, uint32_t layout, uint64_t low,
				   uint64_t high)
{
	uint32_t lane = ct_lane(), bytes = layout & 31, adding = layout & CT_WRITE_LEADER ? 1 : 32;
	uint64_t at = ct_reserve(warp, CT_FULL_MASK, 8 + bytes * adding), own;

	if (at && lane < adding) {
		own = at + 8 + lane * bytes;
		if (bytes == 4)
			ct_store32(own, (uint32_t)low);
		if (bytes >= 8)
			ct_store64(own, low);
		if (bytes == 16)
			ct_store64(own + 8, high);
	}
	if (at && lane == 0) {
		ct_store64(at, head);
		ct_shared_store64(CT_AT(warp, cursor), at + 8 + bytes * adding);
	}
	__syncwarp();
}

/* mask: the calling lanes. */
CT_OUT_OF_LINE void ct_value(uint32_t warp, uint64_t site, uint32_t part, uint32_t bytes,
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
	head = (uint64_t)CT_REC_VALUE << CT_RECORD_KIND_SHIFT |
	       (uint64_t)shape << CT_VALUE_SHAPE_SHIFT | (uint64_t)part << CT_VALUE_PART_SHIFT |
	       (uint64_t)bytes << CT_VALUE_BYTES_SHIFT | mask;
	if (mask == CT_FULL_MASK && site < CT_SITE_EXTENDED &&
	    (layout & CT_WRITE_LEADER || bytes == 4 || bytes == 8 || bytes == 16))
		ct_value_write_full(warp, head | site << CT_SITE_SHIFT, layout, low, high);
	else
		ct_write(warp, mask, site, head, layout, low, high);
}

#endif
