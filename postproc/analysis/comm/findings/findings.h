/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what stands out in how CTAs communicate. */
#ifndef CT_POSTPROC_ANALYSIS_COMM_FINDINGS_FINDINGS_H
#define CT_POSTPROC_ANALYSIS_COMM_FINDINGS_FINDINGS_H

#include "postproc/analysis/comm/comm.h"
#include "postproc/analysis/comm/scaling/scaling.h"
#include "postproc/facts/finding.h"
#include "postproc/facts/sampling.h"

/* The results of the analysis. Borrowed. */
struct ct_comm_results {
	const struct ct_comm_figures *figures;
	const struct ct_sampling *sampling;   /* NULL: all is recorded */
	const struct ct_scaling_row *scaling; /* by devices, then placement */
	size_t scaling_rows;                  /* 0: not looked at */
	bool has_devices;                     /* the program runs on several */
};

void ct_comm_find(struct ct_findings *findings, const struct ct_comm_results *results);

#endif
