/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory checks (seed 004, 4.2.5; docs/check.md): accesses outside of objects, to freed memory, to
 * memory of the host; reads of what nothing has written; copies that overlap; what is never freed.
 * Only what is sure is a cause: of memory that the trace knows nothing of (the device's heap,
 * constants) nothing is claimed.
 *
 * Of this process alone: not for several ranks.
 */
#ifndef CT_POSTPROC_ANALYSIS_CHECK_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_CHECK_ANALYSIS_H

#include "postproc/analysis/check/causes.h"
#include "postproc/facts/filter.h"
#include "postproc/scan/analysis.h"

struct ct_check_results {
	struct ct_check_causes causes; /* sorted */
	size_t errors, warnings;       /* of these */
	size_t launches;               /* whose accesses were looked at */
	bool knows_writes;             /* whether reads of what nothing wrote could be found */
	size_t unseen;                 /* launches of whose accesses something is not recorded */
};

/* The job of ct_check_analysis. Zero-initialise; ct_check_job_fini frees what comes of it. */
struct ct_check_job {
	struct ct_trace *trace;
	const struct ct_filter *filter; /* NULL: everything passes */
	uint64_t unseen_parts;          /* whose memory others may write (facts/unseen.h) */
	uint64_t memory_bytes;          /* during the pass */
	struct ct_check_results results;
};

extern const struct ct_analysis ct_check_analysis;

/* Counts errors and warnings when all causes are there. */
void ct_check_results_count(struct ct_check_results *results);

void ct_check_job_fini(struct ct_check_job *job);

#endif
