/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values on their way to their sets (base/facts.h). Those that come again soon are counted
 *together; the others go in bundles, side by side, for most of what floats hold comes once.
 *
 *	add ──► held, by value ──► bundle of the set and the value's partition ──► shuffle
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_SCAN_ENTRIES_H
#define CT_POSTPROC_ANALYSIS_VALUES_SCAN_ENTRIES_H

#include "postproc/analysis/values/base/engine.h"

/* In the set's word: values of elements, differences of neighbours, neighbours that differ by
 * another amount than most of their record, and, of those that do not, lines: what the difference
 * times their index leaves of the values (and the difference, in one word). */
#define CT_VALUE_ENTRY_SLOPE ((uint64_t)1 << 62)
#define CT_VALUE_ENTRY_IRREGULAR ((uint64_t)1 << 61)
#define CT_VALUE_ENTRY_LINE ((uint64_t)1 << 60)
#define CT_VALUE_ENTRY_KINDS (CT_VALUE_ENTRY_SLOPE | CT_VALUE_ENTRY_IRREGULAR | CT_VALUE_ENTRY_LINE)

#define CT_VALUE_SET_PARTITIONS 128u
#define CT_VALUE_BUNDLE_BYTES 112u

/* A record of the shuffle: elements of one set and superstep. All of a value are in one partition.
 */
struct ct_value_bundle {
	uint64_t set;    /* ct_value_set_id, and what it counts */
	uint32_t values; /* side by side, each of one element; 0: word[1] elements have word[0] */
	uint32_t step;
	union {
		uint64_t word[CT_VALUE_BUNDLE_BYTES / 8];
		uint8_t byte[CT_VALUE_BUNDLE_BYTES];
	} payload;
};

/* Bits of the key that bundles are sorted by. */
#define CT_VALUE_BUNDLE_MASK                                                                       \
	{                                                                                          \
		UINT64_MAX, UINT64_C(0xffffffff00000000)                                           \
	}

/* Returns the bytes of a value in a bundle of the set. */
static inline uint32_t ct_value_bundle_bytes(uint64_t set)
{
	return set & CT_VALUE_ENTRY_KINDS ? 8 : 1u << (set & 3u);
}

static inline uint32_t ct_value_set_partition(uint64_t value)
{
	return (uint32_t)(value * 0x9e3779b97f4a7c15u >> 57);
}

/* The lower bits choose a place in a table, the upper 20 a part of the values. */
static inline uint64_t ct_value_hash(uint64_t value)
{
	uint64_t hash = (value ^ value >> 32) * 0xd6e8feb86659fd93u;

	return hash ^ hash >> 32;
}

struct ct_value_entries;

/* slots: sets and supersteps whose bundles are filled at the same time, a power of two; each takes
 * CT_VALUE_SET_PARTITIONS bundles of memory when it is used. */
int ct_value_entries_open(struct ct_value_entries **out, struct ct_shuffle *shuffle,
			  uint32_t writer, uint32_t slots);
void ct_value_entries_close(struct ct_value_entries *entries); /* NULL is allowed */
/* elements of a set have the value: bits, zero-extended; of slopes a difference. */
int ct_value_entries_add(struct ct_value_entries *entries, uint64_t set, uint32_t step,
			 uint64_t value, uint32_t elements);
/* Lanes, some of which are side by side, whose elements are at equal distances. */
struct ct_value_neighbours {
	const uint64_t *value; /* by lane */
	uint64_t offset;       /* in the object, of the first lane */
	int64_t stride;        /* bytes from lane to lane, not 0 */
	uint32_t bytes, lanes; /* of an element */
};
int ct_value_entries_add_neighbours(struct ct_value_entries *entries, uint64_t set,
				    const struct ct_value_neighbours *of);
/* Each of the lanes has its value. */
int ct_value_entries_add_lanes(struct ct_value_entries *entries, uint64_t set, uint32_t step,
			       const uint64_t value[CT_WARP_LANES], uint32_t lanes);
/* Passes on what is held. */
int ct_value_entries_finish(struct ct_value_entries *entries);

#endif
