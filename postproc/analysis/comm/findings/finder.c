/* SPDX-License-Identifier: Apache-2.0 */
/* The communication analysis as one of a study's. */
#include "postproc/analysis/finder.h"
#include "postproc/analysis/comm/analysis.h"
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

/* Limits of the figures come first. */
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

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct ct_comm *comm;
	int err = ct_comm_begin(&comm, inquiry->trace, inquiry->filter, inquiry->communication,
				inquiry->why, CT_WHY_BYTES);

	*job = comm;
	return err;
}

static void share(struct ct_inquiry *inquiry, void *job)
{
	inquiry->comm = job;
	inquiry->damaged_chunks = ct_comm_figures(job)->damaged_chunks;
}

static void close_job(void *job)
{
	ct_comm_close(job);
}

const struct ct_finder ct_comm_finder = {
    .analysis = &ct_comm_analysis,
    .open = open_job,
    .share = share,
    .find = find,
    .close = close_job,
};
