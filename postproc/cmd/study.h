/* SPDX-License-Identifier: Apache-2.0 */
/* A trace as all analyses see it, in one pass, for commands that show all findings. */
#ifndef CTPOST_CMD_STUDY_H
#define CTPOST_CMD_STUDY_H

#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/samples/samples.h"
#include "postproc/analysis/served/served.h"
#include "postproc/cmd/comm_options.h"
#include "postproc/cmd/ffm_files.h"

enum ctpost_study_analyses {
#define CT_ANALYSIS(name) CTPOST_STUDY_##name,
#include "postproc/analyses.def"
	CTPOST_STUDY_ANALYSES,
};

/* Zero-initialise. The first operand of the call is the trace, or a directory of `ctrun ffm`. */
struct ctpost_study {
	struct ctpost_call *call;
	struct ct_comm_options options; /* the caller may add what it needs */
	struct ct_selection selection;
	bool with_paths; /* the caller's, too: from where the host launched */
	struct ct_scaling_options model;
	struct ct_ranks *ranks;
	/* After ctpost_study_run; summary, calls, ffm, findings and sections of rank 0. */
	struct ct_comm *comm;
	struct ct_scaling *scaling;
	struct ct_summary summary;
	struct ct_calls calls, times;
	struct ct_served_job served;
	struct ctpost_ffm_beside ffm;
	struct ct_host_paths *paths; /* NULL: not asked for, or no calls */
	struct ct_samples_study samples;
	struct ct_trace *sampled; /* of --samples; NULL: the same trace */
	struct ct_trace *timed;   /* likewise of --times */
	struct ct_findings findings;
	struct ct_sections sections;

	struct ct_inquiry inquiry;
	void *job[CTPOST_STUDY_ANALYSES]; /* NULL: it takes no part in the pass */
	char *path;                       /* of the trace */
	bool has_summary, has_calls;
};

/* The groups of options that a study is made from, NULL-terminated but for the caller's own, which
 * come first. */
#define CTPOST_STUDY_OPTIONS                                                                       \
	ctpost_study_options, ctpost_selection_options, ctpost_comm_options,                       \
	    ctpost_resource_options, ctpost_link_options
extern const struct ctpost_option ctpost_study_options[];

/* Read those options. CTPOST_OK, or another status with call->why set; the study is to be closed
 * in either case, as of the next ones. */
int ctpost_study_read(struct ctpost_study *study, struct ctpost_call *call);
/* Meet the other ranks. Returns likewise. */
int ctpost_study_meet(struct ctpost_study *study);
/* Read the trace, and find. Collective: 0, or the same error on all ranks with call->why set. */
int ctpost_study_run(struct ctpost_study *study);
/* The exit status of all, and why, told by rank 0 alone. Collective; err: of this rank. */
int ctpost_study_end(struct ctpost_study *study, int err);
void ctpost_study_close(struct ctpost_study *study);

#endif
