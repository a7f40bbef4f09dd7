/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random traces of all kinds of records: groups, loops, ranges, values (at once, late, in parts,
 * never), calls (nested well and badly), events, records of other units, warps of several
 * launches whose segments are spread over chunks; and what may be damaged in them.
 */
#ifndef CT_TRACE_RANDOM_H
#define CT_TRACE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each launch has so many. */
#define TRACE_RANDOM_CTAS 5u

/* Not 0. */
extern uint64_t trace_random_state;
uint64_t trace_random(void);
uint64_t trace_random_below(uint64_t bound);

struct trace_random_options {
	uint32_t parts, devices; /* processes, and devices of each */
	uint32_t tickets;        /* ring chunks of each device */
	bool has_strays;         /* records of launches, CTAs, sites and units that do not exist */
	bool has_gaps;           /* of tickets */
};

/* Into an empty directory; ends the process if that fails. */
void trace_random_make(const char *directory, const struct trace_random_options *options);

enum trace_random_damage {
	TRACE_SOUND,
	TRACE_FLIPPED, /* some bits of a device file */
	TRACE_CUT,
	TRACE_TWICE, /* a chunk */
	TRACE_MISSING,
	TRACE_GARBAGE, /* between chunks */
	TRACE_EMPTY,
	TRACE_LOST_LAUNCH,
	TRACE_BAD_RECORD, /* within a chunk that is sound but for what is in it */
	TRACE_DAMAGES,
};
void trace_random_damage(const char *directory, enum trace_random_damage what);

/* Put the chunks of a sound file into another order. */
void trace_random_shuffle(const char *directory, const char *name);

#endif
