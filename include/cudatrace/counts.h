/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier counts: where producers count instead of recording, and what comes back.
 *
 *   ct_launch.flags ──► area ──► counters of every site, one row per replica
 *                         ├────► sites of units, what each does (read, write)
 *                         └────► objects, ascending ──► a bit per 32-byte sector, read and written
 *
 * ct_context.counts is the address of uint64_t[CT_COUNTS_AREAS]: areas. A
 * stream has one, a kernel node of a graph too, so no two launches that may
 * overlap share one. After each launch, in its stream, the area is reduced to
 * entries of a ring in device memory and is all zero again.
 *
 *   ring:  pos = atomic_add(head, n); entries from tail + CT_COUNTS_ENTRIES on
 *          are dropped and counted in dropped; else written, `mark` last with
 *          release = pos + 1. The host reads while marks follow one another,
 *          then moves tail.
 *
 * Layout is the same for host, GPU and CPU target: pointers are 64-bit values.
 */
#ifndef CUDATRACE_COUNTS_H
#define CUDATRACE_COUNTS_H

#include <stdint.h>

#define CT_COUNTS_AREAS 1024u
#define CT_COUNTS_UNITS 4096u  /* of an area, as many as the launch's flags can name */
#define CT_COUNTS_REPLICAS 64u /* rows of counters, one for several SMs each */
#define CT_COUNTS_OBJECTS 8192u
#define CT_COUNTS_ENTRIES (1u << 18)
/* Another warp has often reported already what the iterations of a loop touch: these are places
 * for hashes of that and of the area's launch, which need not be emptied. */
#define CT_COUNTS_REPORTED 32768u
#define CT_COUNTS_SECTOR_SHIFT 5

/* ct_launch.flags with CT_LAUNCH_COUNTS: area in bits 19..8, unit of the kernel
 * in the area's units in bits 31..20. */
#define CT_COUNTS_FLAGS(area, unit) ((uint32_t)(area) << 8 | (uint32_t)(unit) << 20)
#define CT_COUNTS_AREA_OF(flags) ((flags) >> 8 & 0xfffu)
#define CT_COUNTS_UNIT_OF(flags) ((flags) >> 20)

/* These bits say what a site does to memory; from CT_COUNTS_HINT_SHIFT on stands 1 + the number
 * of the object, in the area's order, that it was last seen to access; 0: none. A hint, which may
 * be of objects that were there before. */
#define CT_COUNTS_READS 1u
#define CT_COUNTS_WRITES 2u
#define CT_COUNTS_HINT_SHIFT 2

/* In tier values: executions by warps, elements, those that are zero, and of a load those equal to
 * the element of the lowest lane that executes it, of a store those that memory held before. */
struct ct_counts_site {
	uint64_t value[4]; /* executions by warps, lanes, sectors, bytes; a sector of its own */
};

/* By tag, then arch. */
struct ct_counts_unit {
	uint32_t tag; /* unit.h */
	uint32_t arch;
	uint32_t first; /* counter of its site 0 */
	uint32_t sites;
};

/* Ascending by start; they do not overlap. Before the first one of an area, where hint 0 leads,
 * and behind the last one are zeros. */
struct ct_counts_object {
	uint64_t start, end; /* addresses */
	uint64_t first_bit;  /* of the sector of start; a multiple of 64 */
	uint32_t object;     /* id */
	uint32_t reserved;
};

struct ct_counts_area {
	uint64_t sites; /* struct ct_counts_site[CT_COUNTS_REPLICAS][site_count + 1]; the last: a
			   site of no unit here */
	uint64_t units; /* struct ct_counts_unit[unit_count] */
	uint64_t operations; /* uint32_t[site_count + 1]; this and the next are read as a pair */
	uint64_t objects;    /* struct ct_counts_object[CT_COUNTS_OBJECTS] */
	uint64_t bits; /* uint64_t[2][bit_words]: read, written; 0: objects are not looked at; */
	uint64_t bit_words; /* also a pair */
	uint64_t sums;      /* uint64_t[CT_COUNTS_OBJECTS][2]: sectors read, written */
	uint32_t site_count;
	uint32_t unit_count;
	uint32_t object_count;
	uint32_t foreign;   /* 1: sites of other units than the kernel's were counted */
	uint32_t shared;    /* 1: objects share sectors */
	uint32_t arrived;   /* CTAs of the kernel that reduces */
	uint64_t found;     /* entries of this launch so far */
	uint64_t summaries; /* of tier values: struct ct_counts_summary[CT_SUMMARY_ROWS][site_count
			       + 1] */
	uint64_t reported;  /* uint64_t[CT_COUNTS_REPORTED]; of tier counts */
	uint64_t launch;    /* how many the area has been reduced for; also a pair */
};

/* Parameters of the kernel that tells an area its objects, some at a time. */
#define CT_COUNTS_BATCH 96u

struct ct_counts_batch {
	uint32_t first, count; /* in `object` here */
	uint32_t objects;      /* altogether */
	uint32_t shared;
	uint64_t bits, bit_words;
	struct ct_counts_object object[CT_COUNTS_BATCH];
};

enum ct_counts_kind {
	CT_COUNTS_SITE = 1,    /* value: those of site `index` */
	CT_COUNTS_TOUCHED = 2, /* value[0], [1]: sectors read, written of object id `index` */
	CT_COUNTS_DONE =
	    3, /* value[0]: entries of the launch besides this; index 1: objects were looked at */
	/* In tier values it follows the entry SITE of the same index, without others between: */
	CT_COUNTS_VALUES = 4, /* the words of struct ct_counts_summary before its maps */
	CT_COUNTS_MAPS = 5,   /* then its maps, CT_COUNTS_MAPS_ENTRIES times; spans stay there */
};

#define CT_COUNTS_MAPS_ENTRIES 8u
#define CT_COUNTS_SITE_ENTRIES (2u + CT_COUNTS_MAPS_ENTRIES) /* of a site in tier values */

struct ct_counts_entry {
	uint64_t mark;
	uint32_t launch;
	uint32_t kind;
	uint64_t value[4];
	uint32_t index;
	uint32_t area;
};

struct ct_counts_ring {
	uint64_t head;
	uint64_t reserved[15];
	uint64_t tail; /* moved by the host */
	uint64_t dropped;
	uint64_t entries; /* struct ct_counts_entry[CT_COUNTS_ENTRIES] */
};

/*
 * Distinct sectors of an execution: a lane that touches the sectors first..last
 * counts those from `from` on, which is first, moved on by every lane that comes
 * before it in the order of (first, lane) to the end of what that one touches.
 */
#define CT_COUNTS_FROM(from, is_before, last_of_other)                                             \
	((is_before) && (last_of_other) >= (from) ? (last_of_other) + 1 : (from))

#endif
