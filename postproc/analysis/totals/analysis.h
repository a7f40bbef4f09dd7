/* SPDX-License-Identifier: Apache-2.0 */
/* Totals, and what is estimated from them, by a pass of the scan engine. */
#ifndef CT_POSTPROC_ANALYSIS_TOTALS_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_TOTALS_ANALYSIS_H

#include "postproc/analysis/totals/estimate.h"
#include "postproc/analysis/totals/totals.h"
#include "postproc/scan/analysis.h"

/* The job of ct_totals_analysis. */
struct ct_totals_job {
	const struct ct_trace *trace;
	const struct ct_filter *filter;     /* of what passes; NULL: of all */
	const struct ct_sampling *sampling; /* to estimate by; NULL: nothing is estimated */
	/* The result: of rank 0, finished. */
	struct ct_totals *totals;
	struct ct_estimates *estimates; /* NULL without sampling */
};

extern const struct ct_analysis ct_totals_analysis;

void ct_totals_job_fini(struct ct_totals_job *job);

#endif
