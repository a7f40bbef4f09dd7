/* SPDX-License-Identifier: Apache-2.0 */
/* What the totals of a trace show about the trace itself. */
#include "postproc/analysis/totals/findings.h"
#include "base/quantity.h"

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
	    .name = "upper-bound",
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
