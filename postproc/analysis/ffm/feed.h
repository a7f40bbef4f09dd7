/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a stage of the feed-forward measurement model feeds the next ones: call sites whose waits
 * they shall watch (seed 000, 4).
 *
 * A site is fed if all of its calls together can save a thousandth of a process' run, and by what
 * bounds the benefit of Figure 5.1: to stage 3, its waits, with the rest of calls that must go with
 * them; to stage 4, of those that are needed, the wait or the time to the first use, whichever is
 * less. A call that may wait, but had nothing left to wait for, may have to where the wait before
 * it goes: it counts for stage 3 as that one. Stage 4 need not look at sites behind which stage 3
 * has hardly disturbed the program: there the CPU's time until the thread's next call (the median)
 * is at most a fifth longer than in stage 1, and the time to the first use good enough. Where no
 * activities of devices are recorded it is not known what waited, and all calls that may are fed.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_FEED_H
#define CT_POSTPROC_ANALYSIS_FFM_FEED_H

#include "trace/read/reader.h"

#define CT_FFM_FEED_SHARE 1000u /* one in so many parts of the run */

struct ct_ffm_fed {
	uint64_t site;     /* as in WAIT */
	const char *call;  /* the trace's */
	uint64_t count;    /* calls */
	uint64_t worth_ns; /* the bound on what they can save, of the process where it is most */
};

struct ct_ffm_feed {
	struct ct_ffm_fed *fed; /* owned; the largest worth first */
	size_t count;
};

/* Stages 1 and 2 (a trace of calls) feed stage 3 with this. 0 or a negative error; fini is
 * allowed in either case. */
int ct_ffm_feed_uses(struct ct_ffm_feed *feed, struct ct_trace *calls);
/* Stage 3 feeds stage 4 with this; calls: of stages 1 and 2, or NULL: sites that were not
 * disturbed are fed, too. */
int ct_ffm_feed_first_uses(struct ct_ffm_feed *feed, struct ct_trace *uses, struct ct_trace *calls);
void ct_ffm_feed_fini(struct ct_ffm_feed *feed);

#endif
