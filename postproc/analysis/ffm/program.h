/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The execution graph of a process from its calls, activities and order (CALL, ACTIVITY, ORDER).
 *
 * A call is a step of its thread; how long it waited, and for what, is as docs/calls.md says.
 * cudaEventSynchronize waits for the work before the event's record. What a call does beside
 * waiting stands before its wait, wherever it was. Work that graphs, and calls that are not
 * recorded, have launched has no step.
 */
#ifndef CT_POSTPROC_ANALYSIS_FFM_PROGRAM_H
#define CT_POSTPROC_ANALYSIS_FFM_PROGRAM_H

#include "base/by_number.h"
#include "postproc/analysis/calls/waits.h"
#include "postproc/analysis/ffm/graph.h"

struct ct_ffm_program {
	struct ct_ffm_graph graph;
	struct ct_ffm_streams streams;
	uint32_t *call; /* by step: its row of CALL */
	/* By work: it copies to the host, and no call that uses are recorded of has asked for it,
	 * but a library. Of runs without uses it means nothing. */
	bool *is_unseen;
	/* The trace's. */
	const struct ct_row_call *calls;
	size_t call_count, activity_count;
	uint64_t begin_ns; /* of the process; of a part that was cut, of the first call */
};

/* Opens the program of a part. The trace must outlive it. 0 or a negative error. */
int ct_ffm_program_init(struct ct_ffm_program *program, struct ct_trace *trace, uint32_t part);
void ct_ffm_program_fini(struct ct_ffm_program *program);
/* Steps and works are needed no more, but for how many there are and their calls. */
void ct_ffm_program_drop_graph(struct ct_ffm_program *program);

/* From the process's load to its exit (RAN); of a part that was cut, of its calls. */
uint64_t ct_ffm_program_run_ns(const struct ct_ffm_program *program);

/* Numbers that calls have; 0 is none. */
enum ct_ffm_number { CT_FFM_BY_ID, CT_FFM_BY_CORRELATION, CT_FFM_BY_LAUNCH };

/* 1 + the step of the call with that number; of several the last. 0 or -ENOMEM; fini is allowed in
 * either case. */
int ct_ffm_steps_by(const struct ct_ffm_program *program, enum ct_ffm_number number,
		    struct ct_by_number *steps);

/* The step of a row of the program's calls; CT_FFM_NONE: it is none. */
uint32_t ct_ffm_step_of(const struct ct_ffm_program *program, const struct ct_row_call *call);

/* The last step of a thread (gettid) that had ended at a time; CT_FFM_NONE: there is none. What
 * events report a call, they say when it has ended. */
uint32_t ct_ffm_step_before(const struct ct_ffm_program *program, uint32_t thread,
			    uint64_t time_ns);

#endif
