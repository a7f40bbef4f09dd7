/* SPDX-License-Identifier: Apache-2.0 */
/* Choose and write the record of one access: any mask, any addresses (record.h). */
#ifndef CT_DEVICE_RT_ENCODE_H
#define CT_DEVICE_RT_ENCODE_H

#include "device-rt/count.cuh"

struct ct_shape {
	uint32_t kind;
	uint32_t payload; /* bytes after the two words */
	uint32_t words;   /* 1 or 2 */
	uint64_t base;
	uint64_t second;
	uint32_t delta; /* this lane's, for CT_REC_DELTA and CT_REC_NEAR */
	uint32_t planes;
};

CT_INLINE int32_t ct_group_min(const struct ct_group *g, int32_t value)
{
	int32_t least = value;

	if (ct_is_sm80()) {
		asm volatile("redux.sync.min.s32 %0, %1, %2;"
			     : "=r"(least)
			     : "r"(value), "r"(g->mask));
		return least;
	}
	for (uint32_t rest = g->mask; rest; rest &= rest - 1) {
		int32_t other = __shfl_sync(g->mask, value, __ffs(rest) - 1);

		least = other < least ? other : least;
	}
	return least;
}

CT_INLINE uint32_t ct_group_or(const struct ct_group *g, uint32_t value)
{
	uint32_t all = value;

	if (ct_is_sm80()) {
		asm volatile("redux.sync.or.b32 %0, %1, %2;"
			     : "=r"(all)
			     : "r"(value), "r"(g->mask));
		return all;
	}
	for (uint32_t rest = g->mask; rest; rest &= rest - 1)
		all |= __shfl_sync(g->mask, value, __ffs(rest) - 1);
	return all;
}

/* addr = base + (lane - first) * stride, or base + rank * stride */
CT_INLINE bool ct_shape_linear(const struct ct_group *g, uint64_t address, uint32_t bytes,
			       struct ct_shape *shape)
{
	uint32_t rest = g->mask & (g->mask - 1), second = rest ? __ffs(rest) - 1 : g->leader;
	uint32_t gap = rest ? second - g->leader : 1;
	int64_t step = (int64_t)(ct_from_lane(g, address, second) - shape->base);
	int64_t stride = step;
	bool full = g->mask == CT_FULL_MASK;

	if (step != (int32_t)step)
		return false;
	if ((int32_t)step % (int32_t)gap == 0)
		stride = (int32_t)step / (int32_t)gap;
	if ((int32_t)step % (int32_t)gap == 0 &&
	    __all_sync(g->mask, address == shape->base + (int64_t)(g->lane - g->leader) * stride)) {
		shape->kind = stride == 0 ? full ? CT_REC_UNIFORM : CT_REC_UNIFORM_MASK
			      : stride == (int64_t)bytes ? full ? CT_REC_AFFINE : CT_REC_AFFINE_MASK
							 : CT_REC_STRIDED;
	} else if (__all_sync(g->mask, address == shape->base + (int64_t)g->rank * step)) {
		shape->kind = CT_REC_RANKED;
		stride = step;
	} else {
		return false;
	}
	shape->words = shape->kind == CT_REC_UNIFORM || shape->kind == CT_REC_AFFINE ? 1 : 2;
	shape->second = g->mask;
	if (shape->kind == CT_REC_STRIDED || shape->kind == CT_REC_RANKED)
		shape->second |= (uint64_t)(uint32_t)stride << 32;
	return true;
}

/* Two rows of 16 lanes or four of 8. */
CT_INLINE bool ct_shape_rows(const struct ct_group *g, uint64_t address, uint32_t bytes,
			     struct ct_shape *shape)
{
	if (g->mask != CT_FULL_MASK)
		return false;
	for (uint32_t width = 4; width >= 3; width--) {
		int32_t stride = (int32_t)(ct_from_lane(g, address, 1u << width) - shape->base);
		uint64_t expected = shape->base +
				    (uint64_t)(g->lane & ((1u << width) - 1)) * bytes +
				    (int64_t)(g->lane >> width) * stride;

		if (__all_sync(CT_FULL_MASK, address == expected)) {
			shape->kind = CT_REC_ROWS;
			shape->words = 2;
			shape->second = (uint64_t)width << 32 | (uint32_t)stride;
			return true;
		}
	}
	return false;
}

CT_INLINE uint32_t ct_planes(uint32_t bits)
{
	return bits < 1u << 8 ? 1 : bits < 1u << 16 ? 2 : bits < 1u << 24 ? 3 : 4;
}

/* A DELTA of all lanes without its second word, if deltas from a multiple of 16 need no
 * more planes. least: the least address; deltas from there, whose OR is bits, not shifted yet. */
CT_INLINE bool ct_shape_near(const struct ct_group *g, uint64_t least, uint32_t bits,
			     uint32_t planes, struct ct_shape *shape)
{
	uint32_t extra = (uint32_t)least & 15, delta = shape->delta + extra, shift;

	if (g->mask != CT_FULL_MASK || bits >> 31)
		return false;
	bits = ct_group_or(g, delta);
	shift = __ffs(bits) - 1;
	shift = shift < 3 ? shift : 3;
	if (ct_planes(bits >> shift) > planes)
		return false;
	shape->planes = ct_planes(bits >> shift);
	shape->kind = CT_REC_NEAR;
	shape->words = 1;
	shape->base = (least - extra) | shift << 2 | (shape->planes - 1);
	shape->delta = delta >> shift;
	shape->payload = CT_WARP_LANES * shape->planes;
	return true;
}

/* base + (delta << shift), with as few byte planes as the largest delta needs */
CT_INLINE bool ct_shape_delta(const struct ct_group *g, uint64_t address, struct ct_shape *shape)
{
	int64_t distance = (int64_t)(address - shape->base);
	int32_t least;
	uint32_t bits, shift;

	if (!__all_sync(g->mask, distance == (int32_t)distance))
		return false;
	least = ct_group_min(g, (int32_t)distance);
	shape->delta = (uint32_t)((int32_t)distance) - (uint32_t)least;
	bits = ct_group_or(g, shape->delta);
	shift = bits ? __ffs(bits) - 1 : 0;
	shape->base += (int64_t)least;
	if (shape->base >> CT_ADDRESS_BITS)
		return false;
	if (ct_shape_near(g, shape->base, bits, ct_planes(bits >> shift), shape))
		return true;
	shape->delta >>= shift;
	shape->planes = ct_planes(bits >> shift);
	shape->kind = CT_REC_DELTA;
	shape->words = 2;
	shape->payload = (shape->planes * __popc(g->mask) + 7) & ~7u;
	shape->second = g->mask | (uint64_t)shape->planes << 32 | (uint64_t)shift << 40;
	return true;
}

CT_INLINE void ct_shape_find(const struct ct_group *g, uint64_t address, uint32_t bytes,
			     struct ct_shape *shape)
{
	shape->payload = 0;
	shape->delta = 0;
	shape->planes = 0;
	shape->base = ct_from_lane(g, address, g->leader);
	if (shape->base >> CT_ADDRESS_BITS == 0) {
		if (ct_shape_linear(g, address, bytes, shape) ||
		    ct_shape_rows(g, address, bytes, shape) || ct_shape_delta(g, address, shape))
			return;
	}
	shape->kind = CT_REC_RAW;
	shape->words = 2;
	shape->payload = 8 * __popc(g->mask);
	shape->base = 0;
	shape->second = g->mask;
}

/* at: room for the record, its site word included */
CT_INLINE void ct_shape_write(const struct ct_group *g, uint64_t at, uint64_t site,
			      uint64_t address, const struct ct_shape *shape)
{
	uint32_t count = __popc(g->mask);
	bool has_planes = shape->kind == CT_REC_DELTA || shape->kind == CT_REC_NEAR;

	at =
	    ct_store_head(g, at, site, (uint64_t)shape->kind << CT_RECORD_KIND_SHIFT | shape->base);
	if (g->lane == g->leader) {
		if (shape->words == 2)
			ct_store64(at, shape->second);
		/* The padding: the planes below overwrite the rest of this word. */
		if (shape->kind == CT_REC_DELTA)
			ct_store64(at + shape->payload, 0);
	}
	at += shape->words == 2 ? 8 : 0;
	if (has_planes) {
		__syncwarp(g->mask);
		for (uint32_t p = 0; p < shape->planes; p++)
			ct_store8(at + p * count + g->rank, shape->delta >> 8 * p);
	} else if (shape->kind == CT_REC_RAW) {
		ct_store64(at + 8ull * g->rank, address);
	}
}

/* Everything that the inlined path does not know. mask: the calling lanes. group: its
 * bit if the access is a group's. Returns 0 if the group is not in force: nothing is recorded. */
CT_RECORDS uint32_t ct_record(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes,
			      uint32_t mask, uint32_t group)
{
	struct ct_group g;

	mask = ct_active(warp, mask);
	if (!mask)
		return 1;
	if (ct_is_counting(warp)) {
		ct_count(warp, site, address, bytes, mask);
		return 1;
	}
	ct_group_init(&g, mask);
	return ct_append(warp, &g, group, CT_ROOM_BYTES, [&](uint64_t at) {
		struct ct_shape shape;

		ct_shape_find(&g, address, bytes, &shape);
		ct_shape_write(&g, at, site, address, &shape);
		return ct_site_bytes(site) + 8 * shape.words + shape.payload;
	});
}

/*
 * All 32 lanes, at a common address shape, with room in the chunk: uniform,
 * affine, strided, two rows of 16. One vote, over 64-bit comparisons, so that a
 * wrapped sum never passes for a shape. False, with nothing written, if all this
 * does not hold; where nothing is recorded there is no room. True as well where accesses are
 * nothing to anybody. groups: as for ct_record.
 */
CT_INLINE bool ct_record_full(uint32_t warp, uint32_t site, uint64_t address, uint32_t bytes,
			      uint32_t groups)
{
	uint32_t lane = ct_lane();
	uint64_t cursor, end, base, second;
	int32_t inner, outer;
	bool is_affine, is_linear, is_short;

	__syncwarp();
	ct_shared_load_pair(CT_AT(warp, cursor), &cursor, &end);
	if (cursor + CT_ROOM_BYTES > end ||
	    (groups && !(ct_shared_load(CT_AT(warp, groups)) & groups)))
		return cursor == CT_CURSOR_IDLE;
	base = __shfl_sync(CT_FULL_MASK, address, 0);
	inner = (int32_t)(__shfl_sync(CT_FULL_MASK, (uint32_t)address, 1) - (uint32_t)base);
	outer = (int32_t)(__shfl_sync(CT_FULL_MASK, (uint32_t)address, 16) - (uint32_t)base);
	is_affine = inner == (int32_t)bytes;
	is_linear = (uint32_t)outer == 16 * (uint32_t)inner;
	is_short = is_linear && (is_affine || inner == 0);
	if (!__all_sync(CT_FULL_MASK, address == base + (int64_t)(int32_t)(lane & 15) * inner +
						     (lane & 16 ? (int64_t)outer : 0)) ||
	    !(is_linear || is_affine) || base >> CT_ADDRESS_BITS)
		return false;
	second = is_linear ? (uint64_t)(uint32_t)inner << 32 | CT_FULL_MASK
			   : 4ull << 32 | (uint32_t)outer;
	__syncwarp();
	if (lane == 0) {
		uint32_t kind = !is_linear   ? CT_REC_ROWS
				: is_affine  ? CT_REC_AFFINE
				: inner == 0 ? CT_REC_UNIFORM
					     : CT_REC_STRIDED;

		ct_store64(cursor, (uint64_t)kind << CT_RECORD_KIND_SHIFT |
				       (uint64_t)site << CT_SITE_SHIFT | base);
		if (!is_short)
			ct_store64(cursor + 8, second);
		ct_shared_store64(CT_AT(warp, cursor), cursor + (is_short ? 8 : 16));
	}
	__syncwarp();
	return true;
}

/* warp: the same in all lanes of mask, never CT_STATE_OFF. */
CT_INLINE void ct_access(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes,
			 uint32_t mask)
{
	if (mask != CT_FULL_MASK || site >= CT_SITE_EXTENDED ||
	    !ct_record_full(warp, (uint32_t)site, address, bytes, 0))
		ct_record(warp, site, address, bytes, mask, 0);
}

#endif
