/* SPDX-License-Identifier: Apache-2.0 */
/* A tally of a whole trace, by a pass of the scan engine. */
#ifndef CT_POSTPROC_ANALYSIS_VERIFY_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_VERIFY_ANALYSIS_H

#include "postproc/analysis/verify/tally.h"
#include "postproc/scan/analysis.h"

/* The job of ct_tally_analysis. */
struct ct_tally_job {
	const struct ct_trace *trace;
	const uint8_t *by; /* as for ct_tally_open */
	/* The result, of rank 0; to be closed by its owner. */
	struct ct_tally *tally; /* finished */
};

extern const struct ct_analysis ct_tally_analysis;

#endif
