/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis of values among those whose findings are shown together. */
#include "postproc/analysis/values/findings/findings.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/values/findings/tables.h"
#include "postproc/facts/worthwhile.h"

#include <errno.h>
#include <stdlib.h>

#define FINDINGS_MAX 5u /* of traffic, and as many of memory */
#define MEMORY_MIN 1e6  /* bytes that are worth a finding */

/* The engine knows the first member alone. */
struct finder_job {
	struct ct_values_job values;
	struct ct_values_lines lines; /* after find */
};

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct finder_job *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->values.trace = inquiry->trace;
	own->values.filter = inquiry->filter;
	own->values.unseen_parts = inquiry->unseen_parts;
	return 0;
}

#define SECTOR 32.0

static double sectors_of(const struct ct_values_figures *figures, uint32_t kernel)
{
	double bytes = 0;

	for (size_t i = 0; i < figures->rows; i++)
		if (kernel == CT_NONE || figures->row[i].kernel == kernel)
			bytes += ct_values_row_traffic(&figures->row[i]);
	return bytes / SECTOR;
}

/* Of the time of the kernel that it is of, if that does nothing but move sectors; 0: of none, or of
 * several. */
static double share_of_kernel(const struct ct_values_figures *figures,
			      const struct ct_values_advice *advice)
{
	double sectors = advice->kernels == 1 ? sectors_of(figures, advice->kernel) : 0;

	return sectors > 0 && !advice->is_memory ? advice->saved_bytes / SECTOR / sectors : 0;
}

static void add_advice(struct ct_findings *findings, const struct ct_values_figures *figures,
		       const struct ct_values_advice *advice)
{
	const struct ct_finding like = {
	    .analysis = "values",
	    .name = advice->pattern,
	    .kind = CT_FINDING_RESULT,
	    .section = CT_VALUES_SECTION,
	    .figure = {100 * advice->share, "%"},
	    .worth = advice->seconds > 0 ? (struct ct_amount){advice->seconds, "s"}
					 : (struct ct_amount){advice->saved_bytes, "B"},
	    .estimate = {advice->estimate, advice->estimate > 0 ? "s" : NULL},
	    .kernel_share = share_of_kernel(figures, advice),
	};

	ct_findings_add(findings, &like, "%s", advice->text);
	if (advice->evidence[0])
		ct_findings_because(findings, "%s", advice->evidence);
	ct_findings_fix(findings, "%s.", advice->fix);
	if (advice->unit)
		ct_findings_at_site(findings, advice->unit, advice->site);
	ct_findings_at_object(findings, figures->object[advice->subject.group]);
	if (advice->kernel != CT_NONE)
		ct_findings_at_kernel(findings, figures->kernel[advice->kernel].name);
}

/* Of several kernels it is a share of what all of them move. */
static bool is_told(const struct ct_values_figures *figures, const struct ct_values_advice *advice)
{
	uint32_t kernel = advice->kernels == 1 ? advice->kernel : CT_NONE;

	if (advice->is_memory)
		return advice->saved_bytes >= MEMORY_MIN;
	return advice->is_fault ||
	       (!advice->is_fact &&
		ct_is_worthwhile(advice->saved_bytes / SECTOR, sectors_of(figures, kernel),
				 sectors_of(figures, CT_NONE)));
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct finder_job *own = job;
	const struct ct_values_figures *figures = &own->values.figures;
	struct ct_values_advices advices;
	size_t told[2] = {0, 0};
	int err = ct_values_lines_init(&own->lines, figures);

	if (err == 0)
		err = ct_values_set_paths(&own->values.figures, inquiry->paths);
	if (err == 0 && inquiry->times)
		err = ct_values_set_times(&own->values.figures, inquiry->times);
	if (err == 0 && inquiry->times)
		err = ct_values_set_worth(&own->values.figures, inquiry->times, inquiry->served);
	if (err < 0)
		return err;
	err = ct_values_advices_init(&advices, figures, &own->lines);
	for (size_t i = 0; i < advices.count && err == 0; i++) {
		const struct ct_values_advice *advice = &advices.list[i];

		if (told[advice->is_memory] < FINDINGS_MAX && is_told(figures, advice)) {
			told[advice->is_memory]++;
			add_advice(findings, figures, advice);
		}
	}
	ct_values_advices_fini(&advices);
	return err;
}

static const void *figures_of(const void *job, const struct ct_inquiry *inquiry)
{
	(void)job;
	return inquiry->values;
}

static const struct ct_finder_table tables[] = {
    {&ct_value_totals_table, figures_of, false},
    {&ct_value_sums_table, figures_of, false},
    {&ct_value_lines_table, figures_of, true},
    {&ct_value_sets_table, figures_of, true},
    {&ct_value_summaries_table, figures_of, false},
    {&ct_value_gaps_table, figures_of, false},
    {&ct_value_objects_table, figures_of, false},
    {&ct_value_contexts_table, figures_of, true},
    {&ct_value_launches_table, figures_of, false},
    {&ct_value_transfers_table, figures_of, false},
    {&ct_value_nodes_table, figures_of, false},
    {&ct_value_flows_table, figures_of, true},
    {&ct_value_lifetimes_table, figures_of, true},
    {&ct_value_memory_table, figures_of, false},
    {&ct_value_peaks_table, figures_of, false},
    {&ct_value_pairs_table, figures_of, false},
    {NULL, NULL, false},
};

static void close_job(void *job)
{
	struct finder_job *own = job;

	if (!own)
		return;
	ct_values_lines_fini(&own->lines);
	ct_values_job_fini(&own->values);
	free(own);
}

static void share(struct ct_inquiry *inquiry, void *job)
{
	inquiry->values = &((struct finder_job *)job)->values.figures;
}

const struct ct_finder ct_values_finder = {
    .needs = CT_STUDY_CALLS | CT_STUDY_SERVED | CT_STUDY_PATHS,
    .analysis = &ct_values_analysis,
    .open = open_job,
    .share = share,
    .find = find,
    .tables = tables,
    .close = close_job,
};
