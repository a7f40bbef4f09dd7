/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier values: how what is news goes to a site's summary (summary.cuh). Out of line: it is rare
 * once a kernel has run for some microseconds.
 */
#ifndef CT_DEVICE_RT_SUMMARY_NOTE_H
#define CT_DEVICE_RT_SUMMARY_NOTE_H

#include "device-rt/count.cuh"
#include <cudatrace/summary.h>

/* The number of the object that holds the element, and where it is; 0, and nowhere, if none does.
 */
CT_INLINE uint32_t ct_summary_object(uint64_t area, uint64_t address, uint32_t bytes,
				     uint64_t *start, uint64_t *end)
{
	uint32_t count = CT_COUNTS_AT(area, struct ct_counts_area, object_count), found;
	struct ct_count_maps maps;

	maps.objects = CT_COUNTS_AT(area, struct ct_counts_area, objects);
	found = ct_count_objects_until(&maps, count, address);
	*start = *end = 0;
	if (found)
		ct_load64_pair(ct_count_object_at(&maps, found - 1), start, end);
	if (address + bytes > *end) {
		*start = *end = 0;
		return 0;
	}
	return found;
}

CT_INLINE uint64_t ct_summary_most(uint32_t mask, uint64_t value)
{
	uint32_t high = ct_most_lanes(mask, (uint32_t)(value >> 32));
	uint32_t low = ct_most_lanes(mask, value >> 32 == high ? (uint32_t)value : 0);

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
		high = ct_most_lanes(g->mask, is_beyond ? (uint32_t)key : 0);
		low = ct_most_lanes(g->mask,
				    is_beyond ? (uint32_t)(ct_summary_ones(bytes) - key) : 0);
	}
	if (g->lane == g->leader) {
		ct_reduce_max(at + offsetof(struct ct_counts_summary, high), high);
		ct_reduce_max(at + offsetof(struct ct_counts_summary, low), low);
	}
}

/* The object that each lane's element is in, noted by the lanes together. */
CT_RARE uint32_t ct_summary_move(uint32_t state, uint64_t at, uint64_t address, uint32_t bytes,
				 uint32_t mask, uint64_t *start, uint64_t *end)
{
	uint32_t object, last, first;

	object = ct_summary_object(ct_shared_load64(CT_COUNT_AT(state, area)), address, bytes,
				   start, end);
	__syncwarp(mask);
	last = ct_most_lanes(mask, object);
	first = ct_most_lanes(mask, ~object);
	if (ct_lane() == (uint32_t)__ffs(mask) - 1) {
		ct_reduce_max32(at + offsetof(struct ct_counts_summary, last), last);
		ct_reduce_max32(at + offsetof(struct ct_counts_summary, first), first);
	}
	__syncwarp(mask);
	return object;
}

/* Whether the span there does not have the address. */
CT_INLINE bool ct_summary_is_outside(uint64_t span, uint64_t address)
{
	uint64_t from, reach;

	ct_load64_pair(span, &from, &reach);
	return address - from > reach;
}

/*
 * The objects of the elements at address + distances[k], of sites side by side, if one is outside
 * of the span: the distances are those of all threads, so the span that is left there, of some
 * lane, holds for all. Both of its words go as one, as they are read: that a warp which reads sees
 * those of one store is an assumption about the hardware (aligned accesses of 16 bytes, sm_70 and
 * later; summary.h sees to it that spans are), which PTX does not promise.
 */
CT_INLINE void ct_summary_span(uint32_t state, uint64_t at, uint64_t span, uint32_t bytes,
			       uint32_t members, const uint64_t *distances, uint64_t address,
			       uint32_t mask)
{
	int64_t from = 0, to = INT64_MAX;
	bool is_known = true;
	uint32_t known;

	if (!ct_lanes_where(mask, ct_summary_is_outside(span, address)))
		return;
#pragma unroll
	for (uint32_t k = 0; k < CT_GROUP_MEMBERS; k++)
		if (k < members) {
			uint64_t start, end;
			int64_t least, most;

			is_known &=
			    ct_summary_move(state, at + sizeof(struct ct_counts_summary) * k,
					    address + distances[k], bytes, mask, &start, &end) != 0;
			least = (int64_t)(start - distances[k]);
			most = (int64_t)(end - bytes - distances[k]);
			from = least > from ? least : from;
			to = most < to ? most : to;
		}
	known = ct_lanes_where(mask, is_known);
	if (known && ct_lane() == (uint32_t)__ffs(known) - 1)
		ct_store64_pair(span, (uint64_t)from, (uint64_t)(to - from));
}

/*
 * By the lanes of a group, of whose elements some is news. Most often that is a bit of the maps;
 * the rest goes to memory by the first of them. All is worked out anew: what the caller has would
 * cost it registers.
 */
CT_RARE void ct_summary_extend(uint64_t at, uint32_t element, uint64_t bits, uint32_t mask)
{
	const uint32_t bytes = CT_ELEMENT_BYTES(element), scalar = CT_ELEMENT_SCALAR(element);
	uint32_t hash = ct_summary_hash(bytes, bits), bit = ct_summary_bit(hash), has;
	uint64_t map = at + offsetof(struct ct_counts_summary, map) + 4 * ct_summary_map(hash);
	bool is_nan = ct_summary_is_nan(scalar, bytes, bits);
	uint64_t key = ct_summary_key(scalar, bytes, bits), high, low;
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
}

CT_INLINE uint64_t ct_summary_at(uint32_t state, int32_t index)
{
	return ct_shared_load64(CT_COUNT_AT(state, tables)) +
	       (int64_t)sizeof(struct ct_counts_summary) * index;
}

/* Adds an element of each lane to the summary of the site of this index; some of them may be new.
 */
CT_RARE void ct_summary_extend_one(uint32_t state, int32_t index, uint32_t element, uint64_t bits,
				   uint64_t address, uint32_t mask)
{
	const uint64_t none = 0;
	uint64_t at = ct_summary_at(state, index);

	ct_summary_extend(at, element, bits, mask);
	if (element & CT_ELEMENT_GLOBAL)
		ct_summary_span(state, at, at + offsetof(struct ct_counts_summary, own),
				CT_ELEMENT_BYTES(element), 1, &none, address, mask);
	__syncwarp(mask);
}

/* Likewise elements of a group, from the site of this index on. */
CT_RARE void ct_summary_extend_group(uint32_t state, int32_t index, uint32_t element,
				     uint32_t members, uint64_t address, uint64_t v0, uint64_t v1,
				     uint64_t v2, uint64_t v3, uint64_t v4, uint64_t v5,
				     uint64_t d1, uint64_t d2, uint64_t d3, uint64_t d4,
				     uint64_t d5)
{
	const uint64_t distances[] = {0, d1, d2, d3, d4, d5};
	const uint64_t values[] = {v0, v1, v2, v3, v4, v5};
	uint64_t at = ct_summary_at(state, index);

#pragma unroll
	for (uint32_t k = 0; k < CT_GROUP_MEMBERS; k++)
		if (k < members)
			ct_summary_extend(at + sizeof(struct ct_counts_summary) * k, element,
					  values[k], CT_FULL_MASK);
	if (element & CT_ELEMENT_GLOBAL)
		ct_summary_span(state, at, at + offsetof(struct ct_counts_summary, group),
				CT_ELEMENT_BYTES(element), members, distances, address,
				CT_FULL_MASK);
	__syncwarp();
}

#endif
