/* SPDX-License-Identifier: Apache-2.0 */
/* A time line in the making: all spans of all parts, side by side with where they belong. */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_TRACKS_MAKE_H
#define CT_POSTPROC_ANALYSIS_CALLS_TRACKS_MAKE_H

#include "postproc/analysis/calls/tracks/tracks.h"

#define CT_NO_ROW UINT16_MAX

struct ct_tracks_mark {
	uint16_t row; /* or CT_NO_ROW */
	uint8_t level;
	bool is_shown;
};

struct ct_tracks_part {
	uint32_t part;
	const struct ct_row_call *call;
	size_t calls;
	const struct ct_row_activity *activity;
	size_t activities;
	struct ct_waits waits;
	struct ct_tracks_mark *mark; /* of calls, then of activities */
	uint32_t *span;              /* likewise: number of those that are shown */
};

struct ct_tracks_making {
	struct ct_tracks *tracks;
	const struct ct_calls *calls;
	const struct ct_tracks_options *options;
	struct ct_tracks_part *part;
	size_t parts;
	size_t shown; /* spans */
};

static inline size_t ct_tracks_part_spans(const struct ct_tracks_part *part)
{
	return part->calls + part->activities;
}

/* By its number in the part; row and level as marked. */
static inline struct ct_tracks_span ct_tracks_span_at(const struct ct_tracks_part *part, size_t i)
{
	return (struct ct_tracks_span){
	    .call = i < part->calls ? &part->call[i] : NULL,
	    .activity = i < part->calls ? NULL : &part->activity[i - part->calls],
	    .row = part->mark[i].row,
	    .level = part->mark[i].level,
	    .cause = CT_TRACKS_NONE,
	};
}

static inline uint64_t ct_tracks_begin(const struct ct_tracks_span *span)
{
	return span->call ? span->call->begin_ns : span->activity->begin_ns;
}

static inline uint64_t ct_tracks_duration(const struct ct_tracks_span *span)
{
	return span->call ? span->call->duration_ns : span->activity->duration_ns;
}

/* All return 0 or a negative error. */

/* Rows, and to which row and level spans belong. */
int ct_tracks_make_rows(struct ct_tracks_making *making);
/* Which are shown. */
int ct_tracks_choose(struct ct_tracks_making *making);
/* Those, with causes and waits. */
int ct_tracks_make_spans(struct ct_tracks_making *making);
/* And the others. */
int ct_tracks_make_bins(struct ct_tracks_making *making);

/* How long a call waited, with each as of ct_waits_of; where activities are not known, what only
 * synchronises waits all of the time, for nothing in particular. */
uint64_t ct_tracks_waited(const struct ct_tracks_part *part, const struct ct_row_call *call,
			  int (*each)(void *user, const struct ct_waited *waited), void *user,
			  int *err);

#endif
