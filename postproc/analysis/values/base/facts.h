/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the stages of the analysis of values count, as sums: the first word of a key says what it
 * is and of which kernel and group of objects, or of which set; the second one which site, pair or
 * value.
 */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_BASE_FACTS_H
#define CT_POSTPROC_ANALYSIS_VALUES_BASE_FACTS_H

#include <stdint.h>

enum ct_value_fact {
	/* Facts of a row: kernel and group; site: two counts each, in the order of
	 * ct_values_counts. */
	CT_VALUE_FACT_ELEMENTS = 1, /* elements, bytes */
	CT_VALUE_FACT_OWN,          /* temporal, silent */
	CT_VALUE_FACT_MEMORY,       /* known, agreed */
	CT_VALUE_FACT_NOTHING,      /* unknown, untold */
	CT_VALUE_FACT_SECTORS,      /* sectors, avoided */
	CT_VALUE_FACT_FOUND,        /* found, 0 */
	CT_VALUE_FACT_CELLS,        /* of a kernel and group; 0: equal, candidates */
	CT_VALUE_FACT_LOAD_PAIR,    /* of a kernel; sites: count */
	CT_VALUE_FACT_STORE_PAIR,   /* likewise */
	CT_VALUE_FACT_SURPRISES,    /* elements that were not as they had been left */
	/* Facts of a superstep; 0: */
	CT_VALUE_FACT_LAUNCH_LOADS,  /* elements, temporal; atomics count as stores */
	CT_VALUE_FACT_LAUNCH_STORES, /* elements, redundant */
	CT_VALUE_FACT_LAUNCH_OPEN,   /* stores unknown, elements untold */
	CT_VALUE_FACT_FILL,          /* bytes that were as the memset sets them, bytes unknown */
	CT_VALUE_FACT_USE, /* of an object of the trace; superstep: loads, stores of threads */
	/* Where CTAs are left out, of a superstep; CTA (0: all, of a launch that has all):
	 * elements, and those that are redundant by the thread alone. */
	CT_VALUE_FACT_CTA_LOADS,
	CT_VALUE_FACT_CTA_STORES,
	/* Facts of an object of the trace. */
	CT_VALUE_FACT_WROTE,   /* superstep: bytes written, of these such that were never read */
	CT_VALUE_FACT_UNREAD,  /* CT_UNREAD_…: of these, bytes that are not written again */
	CT_VALUE_FACT_SLICE,   /* superstep of a launch: bytes used, of these by others before */
	CT_VALUE_FACT_HITS,    /* log2 of an element's bytes: elements used, accesses */
	CT_VALUE_FACT_SQUARES, /* likewise: sum of the squares of accesses, bytes used; or
				  | CT_VALUE_SQUARE_HIGH: of what is above CT_VALUE_SQUARE_BITS */
	CT_VALUE_FACT_PAGES,   /* pages / 64: bits of those that are used as a whole */
	CT_VALUE_FACT_GAPS,    /* page: CT_VALUE_GAPS of one that is used in part */
	CT_VALUE_FACT_CONTENT, /* superstep: by how much the hash of what is known of it changes,
				  and how many bytes more are known (both modulo 2^64) */
	/* Facts of a group of objects; nodes (ct_value_engine.node): the writer's << 32 | the
	 * other's. */
	CT_VALUE_FACT_FLOW_READ, /* bytes, */
	CT_VALUE_FACT_FLOW_OVER, /* bytes overwritten, of these as they were */
	/* Facts of a set (ct_value_set_id). */
	CT_VALUE_FACT_SET,      /* 0: elements, distinct values of each launch, summed */
	CT_VALUE_FACT_DISTINCT, /* 0: distinct values, neighbours */
	CT_VALUE_FACT_ZEROS,    /* 0: elements that are zero, elements near zero */
	CT_VALUE_FACT_HELD,  /* enum ct_values_width: elements of partitions that it holds all of */
	CT_VALUE_FACT_TOP,   /* value: elements; of those that may be the most frequent */
	CT_VALUE_FACT_SLOPE, /* difference of neighbours: how many; likewise */
	CT_VALUE_FACT_LINE,  /* line (entries.h): neighbours on it; likewise */
	CT_VALUE_FACT_CUT,   /* CT_VALUE_CUT: elements of partitions all of which have the value */
};

/* A float at a level of precision above 0, which cuts three bits or more. */
#define CT_VALUE_CUT(value, level) ((uint64_t)(value) | (level))
#define CT_VALUE_CUT_LEVEL(cut) ((unsigned)((cut)&7u))

/* Bytes of an object in a page that no launch uses: at its beginning, its end, the most in a row.
 */
#define CT_VALUE_GAPS(first, last, most)                                                           \
	((uint64_t)(first) | (uint64_t)(last) << 16 | (uint64_t)(most) << 32)

/* Squares of accesses that are more, in two sums. */
#define CT_VALUE_SQUARE_BITS 40u
#define CT_VALUE_SQUARE_MASK ((UINT64_C(1) << CT_VALUE_SQUARE_BITS) - 1)
#define CT_VALUE_SQUARE_HIGH 4u

#define CT_VALUE_FACT_BITS 56u
#define CT_VALUE_FACT_KEY(fact, rest) ((uint64_t)(fact) << CT_VALUE_FACT_BITS | (rest))
#define CT_VALUE_FACT_OF(key) ((uint32_t)((key) >> CT_VALUE_FACT_BITS))

#define CT_VALUE_KERNEL_BITS 20u
#define CT_VALUE_GROUP_BITS 22u
#define CT_VALUE_TYPE_BITS 5u

/* Kernel and group of a row. */
static inline uint64_t ct_value_owner(uint32_t kernel, uint32_t group)
{
	return (uint64_t)kernel << 32 | group;
}

/* A set: the values that a kernel loads from (is_store 0) or stores to objects of a group as
 * elements of a type. */
static inline uint64_t ct_value_set_id(uint32_t kernel, uint32_t group, unsigned is_store,
				       unsigned type)
{
	return ((((uint64_t)kernel << CT_VALUE_GROUP_BITS | group) << 1 | is_store)
		<< CT_VALUE_TYPE_BITS) |
	       type;
}

#endif
