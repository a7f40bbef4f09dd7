/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and activities of a trace as a time line of bounded size: rows for host threads and
 * streams of devices, the spans that are shown one by one, and how much of the others lies in
 * each bin of time. If there are more spans than are wanted, shown are, in this order:
 *
 *	what is rare	the first of each name, calls that failed or never ended, marks, and the
 *			longest ranges and regions
 *	in each place	the longest of each row in each of many stretches of the time
 *	the longest	of all
 *	their partners	the call of a shown activity, the activities of a shown call
 *
 * Spans of a row at one level are apart, children one level below what they are in (but for rows
 * with more than CT_TRACKS_LEVELS, whose deepest share one). The tracer's own activities are left
 * out. Times are nanoseconds.
 */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_TRACKS_TRACKS_H
#define CT_POSTPROC_ANALYSIS_CALLS_TRACKS_TRACKS_H

#include "postproc/analysis/calls/calls.h"

#define CT_TRACKS_LEVELS 8u
#define CT_TRACKS_NONE UINT32_MAX

struct ct_tracks_options {
	size_t spans; /* most that are shown one by one */
	size_t rows;  /* most of them: those of the most time */
	size_t bins;  /* most in all rows together, of those that are not */
};

struct ct_tracks_row {
	uint32_t part;
	bool is_stream;
	uint32_t thread; /* of a thread */
	uint32_t device; /* of a stream */
	uint64_t stream;
	const char *name;                   /* of a thread; "" unknown */
	uint32_t range_levels, call_levels; /* of a stream: call_levels are those of activities */
	uint64_t spans;                     /* in all */
	uint64_t busy_ns;                   /* of calls and activities, without inner ones */
};

/* A call, range or region, or an activity: the other is NULL. */
struct ct_tracks_span {
	const struct ct_row_call *call;
	const struct ct_row_activity *activity;
	uint32_t row;
	uint32_t level; /* of its row's: ranges and what else there is are counted apart */
	uint32_t cause; /* of an activity: the span of the call that caused it, or NONE */
	uint64_t waited_ns;
};

/* A call waited then for so many activities, the longest for this one. */
struct ct_tracks_wait {
	uint32_t span;
	uint64_t from_ns, until_ns; /* with gaps that are short for the call */
	uint64_t waited_ns;         /* without */
	uint64_t activities;
	const struct ct_row_activity *activity; /* NULL: for nothing that is known */
	uint64_t longest_ns;                    /* that it waited for this one */
	uint32_t for_span;                      /* of that, or NONE: it is not shown */
};

enum ct_tracks_shade {
	CT_SHADE_RANGES,
	CT_SHADE_CALLS,
	CT_SHADE_WAITING, /* of calls, which are without it */
	CT_SHADE_INNER,
	CT_SHADE_KERNELS,
	CT_SHADE_TRACED, /* kernels whose time is not the program's */
	CT_SHADE_COPIES, /* and memsets */
	CT_SHADES,
};

/* Sums what is not shown one by one of a row. */
struct ct_tracks_bin {
	uint32_t row, bin;
	uint64_t count; /* that begin in it */
	uint64_t ns[CT_SHADES];
	struct ct_tracks_span longest; /* of those that begin in it; neither: none does */
};

struct ct_tracks {
	struct ct_trace *trace;
	uint64_t begin_ns, end_ns;
	struct ct_tracks_row *row; /* by part, threads first */
	size_t rows;
	uint64_t left_rows, left_spans; /* rows that there is no room for, and what is in them */
	struct ct_tracks_span *span;    /* by row, ranges first, level and begin */
	size_t spans;
	uint64_t all_spans; /* of the rows */
	struct ct_tracks_wait *wait;
	size_t waits;
	uint64_t bin_ns;
	struct ct_tracks_bin *bin; /* by row and bin; none: all spans are shown */
	size_t bins;
	struct ct_map launches; /* part, launch -> its LAUNCH event */
};

/* calls: of the trace; both are borrowed. 0 or a negative error. */
int ct_tracks_init(struct ct_tracks *tracks, const struct ct_calls *calls,
		   const struct ct_tracks_options *options);
void ct_tracks_fini(struct ct_tracks *tracks);

/* The name of a call, range or region; of a kernel mangled; of others "". */
const char *ct_tracks_name(const struct ct_tracks *tracks, const struct ct_tracks_span *span);

/* enum ct_span_kind above those of calls */
static inline bool ct_tracks_is_range(const struct ct_row_call *call)
{
	return call->kind > CT_SPAN_DRIVER;
}

#endif
