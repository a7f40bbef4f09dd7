/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace, and what analyses know of it from one pass: what is wanted of them is closed over what
 * they need (analysis/finder.h), and all of it takes part in the pass, on all threads and ranks.
 * Commands, the page and export are views of a study.
 *
 * Of a directory of `ctrun profile`, records are of its traced run; calls, times, waits and copies
 * are of the runs whose kernels were pristine.
 *
 *   read ── meet ── open ── run ── the view, on rank 0 ── end ── close
 */
#ifndef CT_POSTPROC_CMD_STUDY_H
#define CT_POSTPROC_CMD_STUDY_H

#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/samples/samples.h"
#include "postproc/analysis/served/served.h"
#include "postproc/cmd/base/ffm_files.h"
#include "postproc/cmd/options/comm_options.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmd/options/known.h"
#include "postproc/cmdline/progress.h"
#include "postproc/problems/problems.h"
#include "postproc/sources/store.h"

/* Zero-initialise. The first operand of the call is the trace, or a directory of `ctrun ffm` or
 * `ctrun profile`. */
struct ctpost_study {
	struct ctpost_call *call;
	/* The caller may add what it needs, before it is read, opened or met. */
	const char *operand;            /* NULL: the call's first */
	uint64_t wanted;                /* bits of CT_STUDY… */
	struct ct_comm_options options; /* of threads, memory and communication */
	const struct ct_task *beside;   /* tasks of the caller's own in the pass */
	size_t besides;
	bool lists_all; /* of tables all rows, not only those that are worth a look */
	/* As of struct ct_inquiry. */
	bool finds_all;
	unsigned precision;
	const struct ct_model_cubin *cubin;
	size_t cubins;

	struct ct_selection selection;
	struct ct_scaling_options model;
	struct ct_ranks *ranks; /* or those of the caller */
	bool has_ranks;         /* of its own */
	/* From open on. */
	struct ct_trace *trace;
	struct ct_trace *called; /* of calls and times; NULL: the same trace */
	struct ct_filter *filter;
	struct ct_comm *comm; /* NULL: not wanted */
	/* After run; all else but what is wanted is empty. Of rank 0, but for comm and scaling. */
	struct ct_scaling *scaling;
	struct ct_summary summary;
	struct ct_calls calls, times;
	struct ct_served_job served;
	struct ctpost_ffm_beside ffm;
	struct ct_host_paths *paths;        /* NULL: not wanted, or no calls */
	struct ct_host_paths *called_paths; /* likewise, of `called`; NULL: the same paths */
	struct ct_samples_study samples;
	struct ct_trace *sampled; /* of --samples; NULL: the same trace */
	struct ct_trace *timed;   /* likewise of --times */
	struct ct_findings findings;
	struct ct_problems problems; /* of the program, from these, before anything is suppressed */
	struct ct_sections sections;

	struct ct_inquiry inquiry; /* results, by analysis */
	void *job[CT_ANALYSES];    /* NULL: it takes no part in the pass */
	char *path;                /* of the trace */
	char why[CTPOST_WHY_BYTES];
	struct ctpost_progress progress;
	bool has_summary, has_calls;
};

/* The groups of options that a study is made from, NULL-terminated but for the caller's own, which
 * come first. */
#define CTPOST_STUDY_OPTIONS                                                                       \
	ctpost_study_options, ctpost_debug_options, ctpost_selection_options, ctpost_comm_options, \
	    ctpost_resource_options, ctpost_link_options
extern const struct ctpost_option ctpost_study_options[];

/* Read those options; the first one's are apart, for who has them all. CTPOST_OK, or another status
 * with call->why set; the study is to be closed in either case, as of the next ones. */
int ctpost_study_read(struct ctpost_study *study, struct ctpost_call *call);
int ctpost_study_read_runs(struct ctpost_study *study);
/* Meet the other ranks. Returns likewise. */
int ctpost_study_meet(struct ctpost_study *study);
/* Open the trace and make what takes part ready; then read the trace, and find. Collective: 0, or
 * the same error on all ranks with call->why set. */
int ctpost_study_open(struct ctpost_study *study);
int ctpost_study_run(struct ctpost_study *study);
/* The exit status of all, and why, reported by rank 0 alone. Collective; err: of this rank. */
int ctpost_study_end(struct ctpost_study *study, int err);
void ctpost_study_close(struct ctpost_study *study);

/* Lines of the sources that its traces name. 0 or a negative error. */
int ctpost_study_sources(const struct ctpost_study *study, const char *root,
			 enum ct_quoting quoting, struct ct_source_store **sources);

/* Judges which of its problems are suppressed or known; sources: NULL, or those that are open
 * already. 0 or a negative error. */
int ctpost_study_judge(struct ctpost_study *study, struct ctpost_known *known,
		       struct ct_source_store *sources);

/* From wanted, what it needs among it. */
uint64_t ctpost_study_closure(uint64_t wanted);

#endif
