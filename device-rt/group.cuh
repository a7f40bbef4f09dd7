/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several accesses in one record: groups, whose addresses differ by what is the
 * same in all threads of the launch, and loops, whose iterations differ by a
 * constant (record.h). The compiler has found both.
 */
#ifndef CT_DEVICE_RT_GROUP_H
#define CT_DEVICE_RT_GROUP_H

#include "device-rt/count_loop.cuh"
#include "device-rt/encode.cuh"

/* Bring a group into force in the warp's chunk, with room for its record behind, which so
 * does not need a new chunk. By scalars: a structure would be passed through memory. */
CT_RARE void ct_group_define(uint32_t warp, uint32_t mask, uint32_t site, uint32_t group,
			     uint32_t count, uint64_t d1, uint64_t d2, uint64_t d3, uint64_t d4,
			     uint64_t d5)
{
	struct ct_group g;

	ct_group_init(&g, mask);
	ct_append(warp, &g, 0, 8 + 8 * count + CT_ROOM_BYTES, [&](uint64_t at) {
		if (g.lane == g.leader) {
			ct_store64(at,
				   (uint64_t)CT_REC_EXTENDED << CT_RECORD_KIND_SHIFT |
				       (uint64_t)site << CT_SITE_SHIFT |
				       (uint64_t)CT_EXTENDED_GROUP << CT_EXTENDED_VARIANT_SHIFT |
				       count);
			ct_store64(at + 8, d1);
			if (count > 1)
				ct_store64(at + 16, d2);
			if (count > 2)
				ct_store64(at + 24, d3);
			if (count > 3)
				ct_store64(at + 32, d4);
			if (count > 4)
				ct_store64(at + 40, d5);
			ct_shared_store(CT_AT(warp, groups),
					ct_shared_load(CT_AT(warp, groups)) | 1u << group);
			/* A segment of definitions alone is as good as empty. */
			if (ct_shared_load(CT_AT(warp, first)) == (uint32_t)at)
				ct_shared_store(CT_AT(warp, first), (uint32_t)at + 8 + 8 * count);
		}
		return 8 + 8 * count;
	});
}

/* The group is not in force, once in a chunk. Out of line for the loop: warp.cuh says what
 * one that leads to atomics does to the function that holds it. */
CT_RARE void ct_group_retry(uint32_t warp, uint32_t site, uint64_t address, uint32_t bytes,
			    uint32_t mask, uint32_t group, uint32_t count, uint64_t d1, uint64_t d2,
			    uint64_t d3, uint64_t d4, uint64_t d5)
{
	do
		ct_group_define(warp, mask, site, group, count, d1, d2, d3, d4, d5);
	while (!ct_record(warp, site, address, bytes, mask, 1u << group));
}

/* As __ct_group of hooks.def, by the lanes of mask: any addresses, in force or not. */
CT_RECORDS void ct_group_record(uint32_t warp, uint32_t site, uint64_t address, uint32_t bytes,
				uint32_t mask, uint32_t group, uint32_t count, uint64_t d1,
				uint64_t d2, uint64_t d3, uint64_t d4, uint64_t d5)
{
	mask = ct_active(warp, mask);
	if (!mask)
		return;
	if (ct_is_counting(warp)) {
		ct_count_group(warp, site, address, bytes, mask, count, d1, d2, d3, d4, d5);
		return;
	}
	if (!ct_record(warp, site, address, bytes, mask, 1u << group))
		ct_group_retry(warp, site, address, bytes, mask, group, count, d1, d2, d3, d4, d5);
}

/* As __ct_access_alone, by the lanes of mask. An access record would stand for the whole group
 * where that is in force; a range record never does. */
CT_OUT_OF_LINE void ct_access_alone(uint32_t warp, uint64_t site, uint64_t address, uint32_t bytes,
				    uint32_t mask)
{
	mask = ct_active(warp, mask);
	if (!mask)
		return;
	if (ct_is_counting(warp))
		ct_count(warp, site, address, bytes, mask);
	else
		ct_write_range(warp, mask, site, address, bytes);
}

/* addr = base + (lane & (2^width - 1)) * inner + (lane >> width) * outer, by all lanes */
struct ct_tile {
	uint64_t base;
	int32_t inner;
	int32_t outer;
	uint32_t width;
};

CT_INLINE bool ct_tile_find(uint64_t address, struct ct_tile *tile)
{
	uint32_t lane = ct_lane();
	int64_t inner, outer = 0;

	tile->base = __shfl_sync(CT_FULL_MASK, address, 0);
	inner = (int64_t)(__shfl_sync(CT_FULL_MASK, address, 1) - tile->base);
	if (tile->base >> CT_ADDRESS_BITS || inner != (int32_t)inner)
		return false;
	tile->inner = (int32_t)inner;
#pragma unroll 1
	for (uint32_t width = 5; width >= 1; width--) {
		if (width < 5)
			outer =
			    (int64_t)(__shfl_sync(CT_FULL_MASK, address, 1u << width) - tile->base);
		if (outer == (int32_t)outer &&
		    __all_sync(CT_FULL_MASK, address == tile->base +
							    (lane & ((1u << width) - 1)) * inner +
							    (lane >> width) * outer)) {
			tile->outer = (int32_t)outer;
			tile->width = width;
			return true;
		}
	}
	return false;
}

CT_INLINE bool ct_same_in_warp(uint64_t value)
{
	return __all_sync(CT_FULL_MASK, value == __shfl_sync(CT_FULL_MASK, value, 0));
}

/*
 * As __ct_loop of hooks.def, by the lanes of mask: only if they are a whole warp
 * and agree on the number of iterations, to be recorded on the steps as well.
 * Lane k writes what is said of the k-th access.
 */
CT_RECORDS uint32_t ct_loop_record(uint32_t warp, uint32_t site, uint32_t count,
				   uint64_t iterations, uint64_t table, uint32_t mask)
{
	uint32_t lane = ct_lane(), need = 16 + 24 * count;
	uint64_t own[3] = {0, 0, 0}, at;
	struct ct_tile tile;

	if (mask != CT_FULL_MASK || ct_active(warp, mask) != CT_FULL_MASK ||
	    !ct_same_in_warp(iterations))
		return 0;
	if (ct_is_counting(warp)) {
		ct_count_loop(warp, site, count, iterations, table);
		return 1;
	}
#pragma unroll 1
	for (uint32_t k = 0; k < count; k++) {
		const uint64_t *access = (const uint64_t *)table + 3 * k;

		if (!ct_same_in_warp(access[1]) || !ct_tile_find(access[0], &tile))
			return 0;
		if (lane == k) {
			own[0] = tile.base | (uint64_t)tile.width << CT_LOOP_WIDTH_SHIFT;
			own[1] = (uint32_t)tile.inner | (uint64_t)(uint32_t)tile.outer << 32;
			own[2] = access[1];
		}
	}
	at = ct_reserve(warp, CT_FULL_MASK, need);
	if (!at)
		return 1;
	if (lane < count) {
		ct_store64(at + 16 + 24 * lane, own[0]);
		ct_store64(at + 24 + 24 * lane, own[1]);
		ct_store64(at + 32 + 24 * lane, own[2]);
	}
	if (lane == 0) {
		ct_store64(at, (uint64_t)CT_REC_EXTENDED << CT_RECORD_KIND_SHIFT |
				   (uint64_t)site << CT_SITE_SHIFT |
				   (uint64_t)CT_EXTENDED_LOOP << CT_EXTENDED_VARIANT_SHIFT | count);
		ct_store64(at + 8, iterations);
		ct_shared_store64(CT_AT(warp, cursor), at + need);
	}
	__syncwarp();
	return 1;
}

#endif
