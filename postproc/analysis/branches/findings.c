/* SPDX-License-Identifier: Apache-2.0 */
/* The lines at which lanes of a warp part, and what to do there. */
#include "postproc/analysis/branches/advice.h"
#include "postproc/analysis/branches/machine.h"
#include "postproc/analysis/branches/tables.h"
#include "postproc/analysis/finder.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct ct_branches_job *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->trace = inquiry->trace;
	own->filter = inquiry->filter;
	return 0;
}

static void add_line(struct ct_findings *findings, const struct ct_branches_results *results,
		     const struct ct_branches_advice *advice)
{
	const struct ct_branches_line *line = advice->line;
	const struct ct_finding like = {
	    .analysis = "branches",
	    .id = CT_ID_DIVERGENT_BRANCHES,
	    .kind = CT_FINDING_RESULT,
	    .section = CT_BRANCHES_SECTION,
	    .figure = {100 * advice->share, "%"},
	    .worth = {advice->slots, "issue slots"},
	    .kernel_share = advice->share,
	    .change = CT_CHANGE_LANES,
	};

	ct_findings_add(findings, &like, "%s", advice->text);
	ct_findings_because(findings, "%s", advice->evidence);
	ct_findings_fix(findings, "%s", advice->fix);
	ct_findings_at_site(findings, line->unit, line->site);
	ct_findings_at_kernel(findings, results->kernels.list[line->kernel].name);
}

/* Atomics of the line meet: combining them leaves one lane of a warp there. */
static bool is_said(const struct ct_findings *findings, const struct ct_branches_results *results,
		    const struct ct_branches_line *line)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct ct_finding *other = &findings->list[i];
		struct ct_place place;

		if (other->id != CT_ID_CONTENDED_ATOMICS || !other->sites ||
		    strcmp(other->kernel[0], results->kernels.list[line->kernel].name) != 0)
			continue;
		place = ct_place_of(other->site[0].unit,
				    &other->site[0].unit->sites[other->site[0].site]);
		if (place.line == line->place.line && !strcmp(place.file, line->place.file))
			return true;
	}
	return false;
}

/* The most costly first; none of a line that the findings say to combine the atomics of. */
static int add_findings(struct ct_findings *findings, const struct ct_branches_results *results)
{
	struct ct_branches_advice advice[CT_BRANCHES_ADVICES];
	size_t count = ct_branches_advise(advice, results);

	for (size_t i = 0; i < count; i++)
		if (!is_said(findings, results, advice[i].line))
			add_line(findings, results, &advice[i]);
	return findings->err;
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct ct_branches_results *results = &((struct ct_branches_job *)job)->results;
	int err = ct_branches_set_code(results, inquiry->trace, inquiry->cubin, inquiry->cubins);

	return err == 0 ? add_findings(findings, results) : err;
}

static const struct ct_finder_table tables[] = {
    {&ct_branches_table, NULL, true},
    {&ct_branch_kernels_table, NULL, false},
    {NULL, NULL, false},
};

static void close_job(void *job)
{
	if (job)
		ct_branches_job_fini(job);
	free(job);
}

static void share(struct ct_inquiry *inquiry, void *job)
{
	inquiry->branches = &((struct ct_branches_job *)job)->results;
}

const struct ct_finder ct_branches_finder = {
    .analysis = &ct_branches_analysis,
    .open = open_job,
    .share = share,
    .find = find,
    .shared = offsetof(struct ct_inquiry, branches),
    .tables = tables,
    .close = close_job,
};
