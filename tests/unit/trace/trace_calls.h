/* SPDX-License-Identifier: Apache-2.0 */
/* A trace with all that version 2 of the format added: calls, values, ranges, events, spaces, tags.
 */
#ifndef CT_TRACE_CALLS_H
#define CT_TRACE_CALLS_H

#include <stdint.h>

#define CALLS_UNIT_ID 0xa0000000000000a1u
#define CALLS_OTHER_ID 0xb00000000b0000b2u /* in blobs for sm_80 and sm_86; launched on sm_90 */
#define CALLS_DATA 0x7f0000001000u         /* object "data", 64 KB */

enum calls_site {
	CALLS_LOAD,     /* i32, kernel, values */
	CALLS_CALL,     /* of leaf, in the kernel */
	CALLS_CALL_TOO, /* likewise, on another line */
	CALLS_LEAF,     /* f32 load in leaf */
	CALLS_AGAIN,    /* call of leaf in leaf */
	CALLS_CAS,      /* i32, values */
	CALLS_COPY,     /* range */
	CALLS_BARRIER,
	CALLS_SHARED, /* f16 load of shared memory, values */
	CALLS_VECTOR, /* f32x4 store, values */
	CALLS_WIDE,   /* f64x4 load, values in two parts */
	CALLS_REDUCE, /* i32 atomic add without result, values */
	CALLS_ELSEWHERE,
	CALLS_FILTERED,
	CALLS_SKIPPED,
	CALLS_SITES,
};

/* These may be otherwise. */
enum calls_variant {
	CALLS_OTHER_VALUE = 1, /* the second element stored at CALLS_VECTOR */
	CALLS_OTHER_PATH = 2,  /* the lanes of the second call of leaf come from CALLS_CALL */
	CALLS_NO_BARRIERS = 4, /* barriers and shared memory are not recorded */
};

/* Write it; returns what the writer's close returned. */
int calls_make(const char *directory, int level, unsigned variant);

struct ct_writer;

/* The units alone. */
void calls_write_units(struct ct_writer *writer);

/* The same units and launch (its id is 1), of so many CTAs, with records of the caller's. */
#define CALLS_CTAS 6000u
int calls_make_with(const char *directory, void (*records)(struct ct_writer *writer));

#endif
