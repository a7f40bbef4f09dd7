/* SPDX-License-Identifier: Apache-2.0 */
/* Samples joined with accesses, among all findings. */
#include "postproc/analysis/causes/advice.h"
#include "postproc/analysis/causes/tables.h"
#include "postproc/analysis/finder.h"
#include "postproc/facts/folded_name.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECTION "wait_causes"
#define FINDINGS_MAX 5u
#define GAIN_MIN 1.05 /* of the kernel */

/* The job; made by find. */
struct joined {
	struct ct_blame_job sampled;
	struct ct_blame blame;
	struct ct_causes causes;
	struct ct_advices advices;
};

static int join(struct joined *joined, const struct ct_inquiry *inquiry)
{
	const struct ct_causes_from from = {inquiry->trace, inquiry->access, inquiry->values,
					    inquiry->branches, inquiry->blocks};
	int err;

	joined->sampled.trace = inquiry->sampled;
	ct_blame_job_units(&joined->sampled);
	err = ct_blame_make_sampled(&joined->blame, &joined->sampled, NULL,
				    &inquiry->samples->weights);
	if (err == 0)
		err = ct_causes_init(&joined->causes, &from);
	return err == 0 ? ct_advices_init(&joined->advices, inquiry->samples, &joined->blame,
					  joined->causes.count ? &joined->causes : NULL)
			: err;
}

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	(void)inquiry;
	*job = calloc(1, sizeof(struct joined));
	return *job ? 0 : -ENOMEM;
}

static void close_job(void *job)
{
	struct joined *joined = job;

	if (!joined)
		return;
	ct_advices_fini(&joined->advices);
	ct_causes_fini(&joined->causes);
	ct_blame_fini(&joined->blame);
	ct_blame_job_fini(&joined->sampled);
	free(joined);
}

static void add_finding(struct ct_findings *findings, const struct ct_advice *advice)
{
	double waits = 100 * advice->matched / (double)advice->kernel->sum.samples;
	const struct ct_finding like = {.analysis = "causes",
					.id = ct_cause_id(advice->cause),
					.kind = CT_FINDING_RESULT,
					.section = SECTION,
					.figure = {waits, "%"}};
	char brief[CT_BRIEF_NAME_BYTES];
	const char *kernel = ct_shown_name(advice->kernel->name, brief);

	ct_findings_add(findings, &like, "%.1f %% of the samples of %s %s %s:%u%s%s: %s.", waits,
			kernel, advice->reason ? "wait for" : "are of", advice->file, advice->line,
			advice->object ? ", which accesses " : "",
			advice->object ? advice->object : "", ct_advice_cause(advice));
	ct_findings_because(findings,
			    "%.0f %% of the %s there are too many: without, the kernel is %.2f "
			    "times as fast at most, %.2f if caches serve what they can",
			    100 * advice->saved / advice->matched, ct_cause_unit(advice->cause),
			    ct_advice_gain(advice), ct_advice_least_gain(advice));
	ct_findings_fix(findings, "%s", advice->fix);
	ct_findings_at_kernel(findings, advice->kernel->name);
}

/* Finds lines with a cause: what is only waited for is a finding of the samples. */
static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct joined *joined = job;
	size_t reported = 0;
	int err;

	if (!inquiry->samples)
		return 0;
	err = join(joined, inquiry);
	joined->advices.lists_all = inquiry->lists_all;
	for (size_t i = 0; i < joined->advices.count && reported < FINDINGS_MAX && err == 0; i++) {
		const struct ct_advice *advice = &joined->advices.list[i];

		if (!*ct_advice_cause(advice) || ct_advice_gain(advice) < GAIN_MIN)
			continue;
		add_finding(findings, advice);
		reported++;
	}
	return err;
}

static const void *advices_of(const void *job, const struct ct_inquiry *inquiry)
{
	return inquiry->samples ? &((const struct joined *)job)->advices : NULL;
}

static const struct ct_finder_table tables[] = {
    {&ct_wait_causes_table, advices_of, true},
    {NULL, NULL, false},
};

const struct ct_finder ct_causes_finder = {
    .needs = CT_STUDY(access) | CT_STUDY(values) | CT_STUDY(branches) | CT_STUDY(blame) |
	     CT_STUDY_SAMPLES,
    .open = open_job,
    .find = find,
    .tables = tables,
    .close = close_job,
};
