/* SPDX-License-Identifier: Apache-2.0 */
/* One side of a comparison, by a pass of the scan engine. */
#ifndef CT_POSTPROC_ANALYSIS_DIFF_ANALYSIS_H
#define CT_POSTPROC_ANALYSIS_DIFF_ANALYSIS_H

#include "postproc/analysis/diff/first_difference.h"
#include "postproc/analysis/diff/seq.h"
#include "postproc/scan/analysis.h"

/* The job of ct_diff_analysis. */
struct ct_diff_job {
	int side;
	const struct ct_match *match; /* of the side's trace; shared by the workers */
	unsigned wants;               /* of CT_WANT_EVENTS, CT_WANT_VALUES, CT_WANT_PATHS */
	/* Steps are added to this: the batch's hashes, or, if it is NULL, what is looked for. */
	struct ct_seq *seq;
	struct ct_first_difference *find;
	const uint8_t *launches; /* of the side's trace, 1: looked at; NULL: all */
};

/* Not on several ranks. */
extern const struct ct_analysis ct_diff_analysis;

#endif
