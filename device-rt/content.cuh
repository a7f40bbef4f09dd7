/* SPDX-License-Identifier: Apache-2.0 */
/* Records what ranges and tiles move: CONTENT records, as trace/codec/encode_value.c makes them. */
#ifndef CT_DEVICE_RT_CONTENT_H
#define CT_DEVICE_RT_CONTENT_H

#include "device-rt/append.cuh"

/* Returns the first 8 bytes at a generic address, or as many as are left. */
CT_INLINE uint64_t ct_content_word(uint64_t from, uint64_t left)
{
	uint64_t word = 0;

	if (left >= 8 && !(from & 7))
		return *(const volatile uint64_t *)from;
#pragma unroll 1
	for (uint32_t i = 0; i < 8 && i < left; i++)
		word |= (uint64_t) * (const volatile uint8_t *)(from + i) << 8 * i;
	return word;
}

/* Words of the longest of what the lanes have left. */
CT_INLINE uint32_t ct_content_words(const struct ct_group *g, uint64_t left)
{
	uint64_t most = 0;

#pragma unroll 1
	for (uint32_t rest = g->mask; rest; rest &= rest - 1) {
		uint64_t other = ct_from_lane(g, left, __ffs(rest) - 1);

		most = other > most ? other : most;
	}
	most = (most + 7) / 8;
	return most < CT_CONTENT_WORDS / __popc(g->mask) ? most
							 : CT_CONTENT_WORDS / __popc(g->mask);
}

/* One record, of the lanes of mask, left bytes each (> 0) at from, which is offset bytes into the
 * range. Returns the bytes of each lane that it holds. */
CT_OUT_OF_LINE uint32_t ct_content_write(uint32_t warp, uint64_t site, uint32_t mask, uint64_t from,
					 uint64_t left, uint32_t offset)
{
	struct ct_group g;
	uint32_t words, need;

	ct_group_init(&g, mask);
	words = ct_content_words(&g, left);
	need = ct_site_bytes(site) + 16 + 8 * words * __popc(mask);
	ct_append(warp, &g, 0, need, [&](uint64_t at) {
		at = ct_store_head(&g, at, site,
				   (uint64_t)CT_REC_EXTENDED << CT_RECORD_KIND_SHIFT |
				       (uint64_t)CT_EXTENDED_CONTENT << CT_EXTENDED_VARIANT_SHIFT |
				       words);
		if (g.lane == g.leader)
			ct_store64(at, (uint64_t)offset << 32 | mask);
		at += 8 + 8ull * words * g.rank;
#pragma unroll 1
		for (uint32_t i = 0; i < words; i++)
			ct_store64(at + 8 * i, left > 8ull * i
						   ? ct_content_word(from + 8 * i, left - 8ull * i)
						   : 0);
		return need;
	});
	return 8 * words;
}

/* Records for the lanes of mask, which have recorded ranges of so many bytes each, the bytes at
 * from, a generic address. Lanes that are done wait for the others. */
CT_INLINE void ct_content(uint32_t warp, uint64_t site, uint32_t mask, uint64_t from,
			  uint64_t bytes)
{
	uint64_t offset = 0;

#pragma unroll 1
	for (;;) {
		bool has_more = bytes > offset;
		uint32_t lanes = ct_lanes_where(mask, has_more), done = 0;

		if (!lanes)
			break;
		if (has_more)
			done = ct_content_write(warp, site, lanes, from + offset, bytes - offset,
						(uint32_t)offset);
		__syncwarp(mask);
		offset += __shfl_sync(mask, done, __ffs(lanes) - 1);
	}
}

#endif
