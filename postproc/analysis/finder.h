/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an analysis is to those who show findings (ctpost findings, ctpost report): one table,
 * listed in postproc/analyses.def. All of them take part in the pass of the communication
 * analysis, on all its threads and ranks.
 *
 *   open ── the pass: analysis, with the job ── find ── show ── close
 */
#ifndef CT_ANALYSIS_FINDER_H
#define CT_ANALYSIS_FINDER_H

#include "postproc/facts/filter.h"
#include "postproc/facts/finding.h"
#include "postproc/facts/summary.h"
#include "postproc/scan/analysis.h"
#include "postproc/tables/sections.h"

struct ct_access_results;
struct ct_blame_weights;
struct ct_branches_results;
struct ct_calls;
struct ct_comm;
struct ct_ffm_study;
struct ct_host_paths;
struct ct_samples_study;
struct ct_model_all;
struct ct_scaling;
struct ct_served_job;
struct ct_values_figures;

/* What is looked at, and for find and show what is known of it by then. Borrowed; it outlives jobs,
 * findings and sections. */
struct ct_inquiry {
	const struct ct_trace *trace;
	const struct ct_filter *filter; /* of what is selected; NULL: everything is */
	uint64_t unseen_parts;          /* whose memory others may access (facts/unseen.h) */
	/* From here on for find and show alone. */
	const struct ct_summary *summary;
	struct ct_comm *comm;
	const struct ct_scaling *scaling; /* NULL: not looked at */
	const struct ct_calls *calls;     /* NULL: the trace has none */
	/* The same, or those of another run, whose times are those of kernels that are not
	 * instrumented; NULL: not known. */
	const struct ct_calls *times;
	const struct ct_served_job *served; /* NULL: which caches serve what is not known */
	const struct ct_ffm_study *ffm;     /* NULL: neither uses nor contents are recorded */
	const struct ct_host_paths *paths;  /* of the calls; NULL: not asked for, or not known */
	/* Samples of the trace, or of another run of the program; NULL: there are none. */
	const struct ct_samples_study *samples;
	const struct ct_trace *sampled; /* that they are of */
	/* What analyses have found, for the one that joins it with samples. */
	const struct ct_access_results *access;
	const struct ct_values_figures *values;
	const struct ct_branches_results *branches;
	const struct ct_blame_weights *blocks;
	const struct ct_model_all *model; /* after the finder of models, of no kernel before */
	uint64_t damaged_chunks;          /* that the pass has skipped */
};

struct ct_finder {
	/* NULL: what it finds is in the inquiry; without open and close then, and the job of
	 * find and show is NULL. An analysis that does not pack its states would find only what
	 * rank 0 has seen. */
	const struct ct_analysis *analysis;
	int (*open)(void **job, const struct ct_inquiry *inquiry); /* 0 or -ENOMEM */
	/* Adds its findings, the most important first, on rank 0. 0 or a negative error */
	int (*find)(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry);
	/* Adds its sections of the report, after find, on rank 0. NULL: it has none. Likewise */
	int (*show)(struct ct_sections *sections, void *job, const struct ct_inquiry *inquiry);
	void (*close)(void *job); /* NULL is allowed */
};

#define CT_ANALYSIS(name) extern const struct ct_finder ct_##name##_finder;
#include "postproc/analyses.def"

#endif
