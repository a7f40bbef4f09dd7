/* SPDX-License-Identifier: Apache-2.0 */
/* Findings about the trace itself: what limits all that is reported from it. */
#ifndef CT_POSTPROC_FACTS_LIMITS_H
#define CT_POSTPROC_FACTS_LIMITS_H

#include "postproc/facts/finding.h"
#include "postproc/facts/summary.h"

/* damaged_chunks: that a scan has skipped. */
void ct_limits_find(struct ct_findings *findings, const struct ct_trace *trace,
		    const struct ct_summary *summary, uint64_t damaged_chunks);

#endif
