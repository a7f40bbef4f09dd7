/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what the totals of a trace show about the trace itself. */
#ifndef CT_POSTPROC_ANALYSIS_TOTALS_FINDINGS_H
#define CT_POSTPROC_ANALYSIS_TOTALS_FINDINGS_H

#include "postproc/analysis/totals/totals.h"
#include "postproc/facts/finding.h"

/* Finds it for the launches that pass (filter NULL: all). */
void ct_totals_find(struct ct_findings *findings, const struct ct_trace *trace,
		    const struct ct_totals *totals, const struct ct_filter *filter);

#endif
