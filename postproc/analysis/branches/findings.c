/* SPDX-License-Identifier: Apache-2.0 */
/* The lines at which lanes of a warp part, and what to do there. */
#include "base/quantity.h"
#include "postproc/analysis/branches/section.h"
#include "postproc/analysis/finder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 5u
#define DIVERGENT_MIN 0.1 /* of a line's branches */
#define SHARE_MIN 0.01    /* of those of the kernel */

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
		     const struct ct_branches_line *line)
{
	const struct ct_branches_figures *f = &line->figures;
	const struct ct_finding like = {
	    .analysis = "branches",
	    .name = "divergent-branches",
	    .kind = CT_FINDING_RESULT,
	    .section = CT_BRANCHES_SECTION,
	    .figure = {100 * (1 - ct_branches_efficiency(f)), "%"},
	    .worth = {(double)f->divergent, "branches"},
	};
	const char *slash = strrchr(line->place.file, '/');
	const char *file = slash ? slash + 1 : line->place.file;
	const char *kernel = results->kernels.list[line->kernel].name;
	char number[2][CT_NUMBER_BYTES];

	ct_findings_add(findings, &like,
			"Lanes part in %s of %s branches at %s:%u: both ways are taken one after "
			"the other.",
			ct_number(f->divergent, number[0]), ct_number(f->branches, number[1]),
			*file ? file : "an unknown line", line->place.line);
	ct_findings_because(findings, "%.1f of 32 lanes are active at the branch in the mean",
			    (double)f->lanes / (double)f->branches);
	ct_findings_fix(findings,
			"Let the threads of a warp go the same way: branch on what is the "
			"same in 32 neighbouring threads, or sort or compact the work so "
			"that it is");
	ct_findings_at_site(findings, line->unit, line->site);
	ct_findings_at_kernel(findings, kernel);
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	const struct ct_branches_results *results = &((struct ct_branches_job *)job)->results;

	(void)inquiry;
	for (size_t i = 0; i < results->lines && i < LINES_MAX; i++) {
		const struct ct_branches_line *line = &results->line[i];
		const struct ct_branches_figures *f = &line->figures;
		uint64_t all = results->kernel[line->kernel].figures.branches;

		if (f->divergent && (double)f->divergent >= DIVERGENT_MIN * (double)f->branches &&
		    (double)f->divergent >= SHARE_MIN * (double)all)
			add_line(findings, results, line);
	}
	return findings->err;
}

static int show(struct ct_sections *sections, void *job, const struct ct_inquiry *inquiry)
{
	(void)inquiry;
	ct_branches_show(sections, &((struct ct_branches_job *)job)->results);
	return sections->err;
}

static void close_job(void *job)
{
	if (job)
		ct_branches_job_fini(job);
	free(job);
}

const struct ct_finder ct_branches_finder = {
    .analysis = &ct_branches_analysis,
    .open = open_job,
    .find = find,
    .show = show,
    .close = close_job,
};
