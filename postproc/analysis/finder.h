/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an analysis is to a study (postproc/cmd/study.h): one table, listed in
 * postproc/analyses.def. Those that are wanted, and what they need, take part in one pass, on all
 * its threads and ranks.
 *
 *   open ── the pass: analysis, with the job ── share ── find ── tables ── close
 */
#ifndef CT_POSTPROC_ANALYSIS_FINDER_H
#define CT_POSTPROC_ANALYSIS_FINDER_H

#include "postproc/facts/filter.h"
#include "postproc/facts/finding.h"
#include "postproc/facts/summary.h"
#include "postproc/scan/analysis.h"
#include "postproc/tables/sections.h"

/* Analyses, and what else a study can look at: bits of what is wanted, or needed. */
enum ct_analysis_number {
#define CT_ANALYSIS(name) CT_ANALYSIS_##name,
#include "postproc/analyses.def"
	CT_ANALYSES,
};
#define CT_STUDY(name) ((uint64_t)1 << CT_ANALYSIS_##name)
#define CT_STUDY_ALL (((uint64_t)1 << CT_ANALYSES) - 1)
#define CT_STUDY_CALLS ((uint64_t)1 << 40)   /* of the host, and times */
#define CT_STUDY_FFM ((uint64_t)1 << 41)     /* which of them are needed */
#define CT_STUDY_SAMPLES ((uint64_t)1 << 42) /* of warps */
#define CT_STUDY_SERVED ((uint64_t)1 << 43)  /* which caches serve what */
#define CT_STUDY_SCALING ((uint64_t)1 << 44) /* what would cross between devices */
#define CT_STUDY_PATHS ((uint64_t)1 << 45)   /* of the host to its launches, where calls are */
#define CT_STUDY_BITS (((uint64_t)1 << 48) - 1)
/* Findings are made from all these but races and checks, which are looked for where they are asked
 * for. */
#define CT_STUDY_FINDINGS                                                                          \
	((CT_STUDY_ALL & ~(CT_STUDY(races) | CT_STUDY(check))) | CT_STUDY_CALLS | CT_STUDY_FFM |   \
	 CT_STUDY_SAMPLES | CT_STUDY_SERVED | CT_STUDY_SCALING)

struct ct_access_results;
struct ct_blame_weights;
struct ct_branches_results;
struct ct_calls;
struct ct_check_results;
struct ct_comm;
struct ct_comm_options;
struct ct_ffm_study;
struct ct_host_paths;
struct ct_model_all;
struct ct_model_cubin;
struct ct_races_results;
struct ct_samples_study;
struct ct_scaling;
struct ct_served_job;
struct ct_values_figures;

/* Says what is looked at, and for find and tables what is known of it by then. Borrowed; it
 * outlives jobs, findings and sections. */
struct ct_inquiry {
	struct ct_trace *trace;
	const struct ct_filter *filter; /* of what is selected; NULL: everything is */
	uint64_t unseen_parts; /* whose memory others may access (facts/unseen.h), for values */
	const struct ct_comm_options *communication; /* how it is counted */
	bool lists_all; /* tables have all rows, not only those that are worth a look */
	/* A command that shows the analysis sets this: findings are all that it advises, not only
	 * the first of what is worth it. */
	bool finds_all;
	unsigned precision; /* of values (ct_values_job) */
	/* Machine code of kernels that the caller has; none: what the trace has. */
	const struct ct_model_cubin *cubin;
	size_t cubins;
	char *why; /* CT_WHY_BYTES: a line about why open fails, empty if the error says it all */
	/* From here on for find and tables alone. */
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
	/* Analyses share their results here, for the one that joins them with samples. */
	const struct ct_access_results *access;
	const struct ct_values_figures *values;
	const struct ct_branches_results *branches;
	const struct ct_races_results *races; /* NULL: not looked for */
	const struct ct_check_results *check; /* likewise */
	const struct ct_blame_weights *blocks;
	const struct ct_model_all *model; /* after the finder of models, of no kernel before */
	uint64_t damaged_chunks;          /* that the pass has skipped */
};

/* A table of an analysis, for export; is_shown: a section of the report and of findings, too. */
struct ct_finder_table {
	const struct ct_table_def *table;
	/* Returns what its rows are made from, after find; it may return NULL: it has none. NULL:
	 * what the analysis shares. */
	const void *(*from)(const void *job, const struct ct_inquiry *inquiry);
	bool is_shown;
};

struct ct_finder {
	uint64_t needs; /* bits of CT_STUDY…: of whom it uses results in find and tables */
	/* NULL: what it finds is in the inquiry, and it takes no part in the pass. An analysis that
	 * does not pack its states would find only what rank 0 has seen. */
	const struct ct_analysis *analysis;
	/* Collective. 0 or a negative error. NULL: the job of the others is NULL. */
	int (*open)(void **job, const struct ct_inquiry *inquiry);
	/* Puts what the pass has brought into the inquiry, for others. May be NULL. */
	void (*share)(struct ct_inquiry *inquiry, void *job);
	/* Adds its findings, the most important first, on rank 0. 0 or a negative error */
	int (*find)(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry);
	/* Where in the inquiry is what tables are made from that have no function for it: the
	 * offset of a pointer. */
	size_t shared;
	const struct ct_finder_table *tables; /* ends with table NULL; NULL: it has none */
	/* Adds what else is to be said of one of its sections. May be NULL. */
	void (*show)(struct ct_section *section, const void *job, const struct ct_inquiry *inquiry);
	void (*close)(void *job); /* of a job of NULL, too */
};

/* Returns what the rows of a table of the analysis are made from; NULL: it has none. */
const void *ct_finder_rows_from(const struct ct_finder *finder, const struct ct_finder_table *table,
				const void *job, const struct ct_inquiry *inquiry);

#define CT_ANALYSIS(name) extern const struct ct_finder ct_##name##_finder;
#include "postproc/analyses.def"

extern const struct ct_finder *const ct_finders[CT_ANALYSES];

#endif
