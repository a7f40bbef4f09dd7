/* SPDX-License-Identifier: Apache-2.0 */
/* The communication analysis among those whose findings are shown. The pass is its own. */
#include "postproc/analysis/finder.h"
#include "postproc/analysis/comm/findings/findings.h"
#include "postproc/facts/limits.h"

/* What limits the figures comes first. */
static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct ct_comm_results results = {
	    .figures = ct_comm_figures(inquiry->comm),
	    .sampling = &inquiry->summary->sampling,
	};

	(void)job;
	if (inquiry->scaling)
		results.scaling = ct_scaling_rows(inquiry->scaling, &results.scaling_rows);
	ct_limits_find(findings, inquiry->trace, inquiry->summary, results.figures->damaged_chunks);
	ct_comm_find(findings, &results);
	return findings->err;
}

const struct ct_finder ct_comm_finder = {.find = find};
