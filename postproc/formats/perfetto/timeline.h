/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When supersteps were, as far as the host's clock tells: a launch begins at
 * its call and lasts until its end was noticed, or until the next call in its
 * stream. So what is on one track never overlaps. Transfers are instants.
 */
#ifndef CT_POSTPROC_FORMATS_PERFETTO_TIMELINE_H
#define CT_POSTPROC_FORMATS_PERFETTO_TIMELINE_H

#include "postproc/analysis/comm/comm.h"

struct ct_timeline_step {
	uint64_t called_ns, start_ns, end_ns; /* since the first event */
	uint32_t track;
};

/* A stream of a process; the default stream of each device is one of its own. */
struct ct_timeline_track {
	uint64_t stream;
	uint32_t part, device;
	uint32_t number; /* within the part, from 1 */
	uint32_t last;   /* superstep */
};

struct ct_timeline {
	struct ct_timeline_step *step; /* by superstep */
	size_t steps;
	struct ct_timeline_track *track;
	size_t tracks;
};

/* 0 or -ENOMEM */
int ct_timeline_init(struct ct_timeline *timeline, const struct ct_comm_figures *figures,
		     uint64_t start_ns);
void ct_timeline_fini(struct ct_timeline *timeline);

#endif
