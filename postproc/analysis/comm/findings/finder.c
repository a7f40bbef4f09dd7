/* SPDX-License-Identifier: Apache-2.0 */
/* The communication analysis among those whose findings are shown. The pass is its own. */
#include "postproc/analysis/finder.h"
#include "postproc/analysis/comm/findings/findings.h"
#include "postproc/facts/limits.h"

/* Kernels run on several devices, or in several processes. */
static bool has_devices(const struct ct_trace *trace)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	for (size_t i = 1; i < count; i++)
		if (launches[i].event->device != launches[0].event->device ||
		    launches[i].part != launches[0].part)
			return true;
	return false;
}

/* What limits the figures comes first. */
static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct ct_comm_results results = {
	    .figures = ct_comm_figures(inquiry->comm),
	    .sampling = &inquiry->summary->sampling,
	    .has_devices = has_devices(inquiry->trace),
	};

	(void)job;
	if (inquiry->scaling)
		results.scaling = ct_scaling_rows(inquiry->scaling, &results.scaling_rows);
	ct_limits_find(findings, inquiry->trace, inquiry->summary, results.figures->damaged_chunks);
	ct_comm_find(findings, &results);
	return findings->err;
}

const struct ct_finder ct_comm_finder = {.find = find};
