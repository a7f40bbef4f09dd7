/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far first uses are from their waits. Runs that watch accesses are disturbed by it, and a
 * machine that is busy is anyway; so a distance is
 *
 *	at most the time until the thread's next call in the run that the figures are of, if the
 *	thread was first and before that call;
 *	at most the median of the same wait (call site) and the same use.
 *
 * Of a wait that leaves nothing to the next one, which is needed, it is the way to what that is
 * needed for: a copy that waits by itself, then the stream's own wait, then the use.
 */
#ifndef CT_FFM_DISTANCES_H
#define CT_FFM_DISTANCES_H

#include "postproc/analysis/ffm/problems.h"

/* judgement: of each step of the program, whose times are those of the figures. Sets takers. gap:
 * of each step. 0 or -ENOMEM */
int ct_ffm_settle_distances(struct ct_ffm_program *program, const struct ct_trace *trace,
			    uint32_t part, const struct ct_ffm_gap *gap, uint64_t far_ns,
			    struct ct_ffm_judgement *judgement);

#endif
