/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same calls in two runs of a program. Stages of the model are runs of their own (seed 000, 4):
 * what one has found out about a call is said of that call in another.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_MATCH_H
#define CT_POSTPROC_ANALYSIS_FFM_MATCH_H

#include "postproc/analysis/ffm/program.h"

/* Identifies a call, whatever the run: a hash of its function and call site. what: of each step.
 * 0 or a negative error. */
int ct_ffm_whats(const struct ct_ffm_program *program, struct ct_trace *trace, uint32_t part,
		 uint64_t *what);

/* The calls of a run. */
struct ct_ffm_run {
	const struct ct_ffm_graph *graph;
	const uint64_t *what;
};

struct ct_ffm_matched {
	size_t both, run_alone, other_alone; /* calls */
	uint32_t thread;                     /* the first call that differs: its thread and step; */
	uint32_t step;                       /* CT_FFM_NONE: none does */
};

/*
 * to[s]: the step of `other` that step s of `run` is; CT_FFM_NONE: there is none. Threads are the
 * same in the order of their first calls, those whose first calls are the same before others. Where
 * calls differ, those of one run or both are left out until some of them, one after another, are
 * the same again: of a loop that makes more iterations in one of them, as many as are in both are
 * the same. If they are not soon, the rest of the thread is left out. 0 or -ENOMEM
 */
int ct_ffm_match(const struct ct_ffm_run *run, const struct ct_ffm_run *other, uint32_t *to,
		 struct ct_ffm_matched *matched);

#endif
