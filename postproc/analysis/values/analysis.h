/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis of values: its job, as one of the scan engine's. base/figures.h has what comes of
 * it. */
#ifndef CT_POSTPROC_ANALYSIS_VALUES_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_VALUES_ANALYSIS_H

#include "postproc/analysis/values/base/figures.h"
#include "postproc/scan/analysis.h"

struct ct_value_engine;

/* The job of ct_values_analysis. Zero-initialise; ct_values_job_fini frees what comes of it. */
struct ct_values_job {
	const struct ct_trace *trace;
	const struct ct_filter *filter; /* NULL: everything passes; all is looked at, this counts */
	uint64_t
	    unseen_parts; /* whose memory others may read (facts/unseen.h): nothing is redundant */
	unsigned precision;               /* level of approximation, 0 to CT_VALUES_PRECISION_MAX */
	struct ct_value_engine *engine;   /* during the pass */
	struct ct_values_figures figures; /* after it, of rank 0 */
};

extern const struct ct_analysis ct_values_analysis;

void ct_values_job_fini(struct ct_values_job *job);

#endif
