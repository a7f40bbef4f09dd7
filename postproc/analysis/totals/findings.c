/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what the totals of a trace show about the trace itself. */
#include "postproc/analysis/totals/findings.h"
#include "base/quantity.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/totals/analysis.h"
#include <errno.h>
#include <stdlib.h>

struct bounds {
	uint64_t launches;
	uint64_t ahead;    /* accesses of them */
	uint64_t accesses; /* those and all others of them */
};

static uint64_t accesses_of(const struct ct_access_totals *totals)
{
	uint64_t sum = 0;

	for (int class = 0; class < CT_ACCESS_CLASSES; class ++)
		sum += totals->of[class].threads;
	return sum;
}

static uint64_t all_accesses_of(const struct ct_launch_totals *totals)
{
	uint64_t sum = accesses_of(&totals->global);

	for (uint32_t space = 0; totals->other && space < CT_SPACES; space++)
		sum += accesses_of(&totals->other->space[space]);
	return sum;
}

static bool is_bound(const struct ct_launch_info *launch, const struct ct_launch_totals *totals,
		     const struct ct_filter *filter)
{
	return (!filter || ct_filter_launch(filter, launch)) &&
	       ct_launch_totals_is_bound(totals, launch);
}

static void add_bounds(struct ct_findings *findings, const struct bounds *bounds)
{
	const struct ct_finding like = {
	    .analysis = "trace",
	    .id = CT_ID_UPPER_BOUND,
	    .kind = CT_FINDING_LIMIT,
	    .section = "coverage",
	    .figure = {(double)bounds->ahead, "accesses"},
	};
	char number[3][CT_NUMBER_BYTES];

	ct_findings_add(findings, &like,
			"Up to %s of the %s accesses of %s launch%s that failed or %s no end may "
			"not have happened: they were recorded ahead, for a loop or a group.",
			ct_number(bounds->ahead, number[0]), ct_number(bounds->accesses, number[1]),
			ct_number(bounds->launches, number[2]), bounds->launches == 1 ? "" : "es",
			bounds->launches == 1 ? "has" : "have");
	ct_findings_fix(findings, "Compile with --ct-loops=off and --ct-groups=off to see the last "
				  "access of each thread.");
}

void ct_totals_find(struct ct_findings *findings, const struct ct_trace *trace,
		    const struct ct_totals *totals, const struct ct_filter *filter)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);
	struct bounds bounds = {0};

	for (size_t i = 0; i < count; i++) {
		const struct ct_launch_totals *launch = ct_totals_launch(totals, i);

		if (!is_bound(&launches[i], launch, filter))
			continue;
		bounds.launches++;
		bounds.ahead += launch->ahead;
		bounds.accesses += all_accesses_of(launch);
	}
	if (!bounds.launches)
		return;
	add_bounds(findings, &bounds);
	for (size_t i = 0; i < count; i++)
		if (is_bound(&launches[i], ct_totals_launch(totals, i), filter))
			ct_findings_at_launch(findings, &launches[i]);
}

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct ct_totals_job *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->trace = inquiry->trace;
	own->filter = inquiry->filter;
	return 0;
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	const struct ct_totals_job *own = job;

	ct_totals_find(findings, inquiry->trace, own->totals, inquiry->filter);
	return findings->err;
}

static void close_job(void *job)
{
	struct ct_totals_job *own = job;

	if (own)
		ct_totals_job_fini(own);
	free(own);
}

const struct ct_finder ct_totals_finder = {
    .analysis = &ct_totals_analysis,
    .open = open_job,
    .find = find,
    .close = close_job,
};
