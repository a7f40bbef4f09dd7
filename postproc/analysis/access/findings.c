/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis of accesses among those whose findings are shown together. */
#include "postproc/analysis/access/advice.h"
#include "postproc/analysis/access/tables.h"
#include "postproc/analysis/finder.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A finding is worth it from a fiftieth of all kernels on (facts/worthwhile.h). One that gave its
 * place to another would be new once that is fixed. */
#define FINDINGS_MAX 150u

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct ct_access_job *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->trace = inquiry->trace;
	own->filter = inquiry->filter;
	return 0;
}

static void add_advice(struct ct_findings *findings, const struct ct_access_results *results,
		       const struct ct_access_advice *advice)
{
	const struct ct_access_row *row = advice->row;
	const struct ct_finding like = {
	    .analysis = "access",
	    .id = advice->id,
	    .kind = CT_FINDING_RESULT,
	    .section = CT_ACCESS_SECTION,
	    .figure = advice->figure,
	    .worth = advice->saved_seconds > 0 ? (struct ct_amount){advice->saved_seconds, "s"}
					       : advice->worth,
	    .kernel_share = advice->kernel_share,
	    .change = advice->change,
	    .is_of_object = advice->id == CT_ID_ARRAY_OF_STRUCTURES,
	};

	ct_findings_add(findings, &like, "%s", advice->text);
	ct_findings_because(findings, "%s", advice->evidence);
	ct_findings_fix(findings, "%s.", advice->fix);
	ct_findings_at_site(findings, row->unit, row->site);
	if (row->group < results->groups)
		ct_findings_at_object(findings, results->object[row->group]);
	ct_findings_at_kernel(findings, results->kernels.list[row->kernel].name);
}

/* The first of those that are worth it, or all. */
static int add_findings(struct ct_findings *findings, const struct ct_access_results *results,
			bool is_all)
{
	struct ct_access_advices advices;
	size_t reported = 0;
	int err = ct_access_advices_init(&advices, results);

	for (size_t i = 0; i < advices.count && err == 0; i++) {
		if (!is_all && (!advices.list[i].is_worthwhile || reported == FINDINGS_MAX))
			continue;
		add_advice(findings, results, &advices.list[i]);
		reported++;
	}
	ct_access_advices_fini(&advices);
	return err < 0 ? err : findings->err;
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct ct_access_results *results = &((struct ct_access_job *)job)->results;
	int err = inquiry->times ? ct_access_set_times(results, inquiry->times) : 0;

	return err == 0 ? add_findings(findings, results, inquiry->finds_all) : err;
}

static const struct ct_finder_table tables[] = {
    {&ct_accesses_table, NULL, true},        {&ct_other_accesses_table, NULL, false},
    {&ct_access_kernels_table, NULL, false}, {&ct_access_objects_table, NULL, false},
    {&ct_access_widths_table, NULL, false},  {&ct_access_launches_table, NULL, false},
    {&ct_access_heat_table, NULL, true},     {&ct_hot_addresses_table, NULL, true},
    {&ct_access_totals_table, NULL, false},  {NULL, NULL, false},
};

static void close_job(void *job)
{
	if (job)
		ct_access_job_fini(job);
	free(job);
}

static void share(struct ct_inquiry *inquiry, void *job)
{
	inquiry->access = &((struct ct_access_job *)job)->results;
}

const struct ct_finder ct_access_finder = {
    .needs = CT_STUDY_CALLS,
    .analysis = &ct_access_analysis,
    .open = open_job,
    .share = share,
    .find = find,
    .shared = offsetof(struct ct_inquiry, access),
    .tables = tables,
    .close = close_job,
};
