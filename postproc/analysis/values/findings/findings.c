/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis of values among those whose findings are shown together. */
#include "postproc/analysis/values/findings/findings.h"
#include "base/quantity.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/values/analysis.h"
#include "postproc/analysis/values/findings/tables.h"
#include "postproc/facts/worthwhile.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRAFFIC_MAX 50u /* findings: all that are worth it (facts/worthwhile.h) */
#define MEMORY_FINDINGS_MAX 5u
#define MEMORY_MIN 1e6 /* bytes that are worth a finding */

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
	own->values.precision = inquiry->precision;
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

/* The share of the time of its kernel, if that does nothing but move sectors; 0: of none, or of
 * several. */
static double share_of_kernel(const struct ct_values_figures *figures,
			      const struct ct_values_advice *advice)
{
	double sectors = advice->kernels == 1 ? sectors_of(figures, advice->kernel) : 0;

	return sectors > 0 && !advice->is_memory ? advice->saved_bytes / SECTOR / sectors : 0;
}

static void put_part(FILE *text, bool *is_first, const char *part)
{
	if (!*part)
		return;
	fprintf(text, "%s%s", *is_first ? "" : "; ", part);
	*is_first = false;
}

/* Says what it is concluded from, where it is if that is no line of a kernel, and what it spares
 * beside what it is worth; to be freed, NULL: memory is short. */
static char *evidence_of(const struct ct_values_advice *advice)
{
	char *text = NULL, part[CT_ADVICE_BYTES + 32], number[CT_NUMBER_BYTES];
	bool is_first = true;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	put_part(out, &is_first, advice->evidence);
	if (!advice->unit && *advice->file && advice->line) {
		const char *slash = strrchr(advice->file, '/');

		snprintf(part, sizeof(part), "at %s:%u", slash ? slash + 1 : advice->file,
			 advice->line);
		put_part(out, &is_first, part);
	}
	if (advice->seconds > 0 && advice->saved_bytes > 0) {
		snprintf(part, sizeof(part), "%s of traffic at most",
			 ct_size((uint64_t)advice->saved_bytes, number));
		put_part(out, &is_first, part);
	}
	if (advice->launches && advice->sectors > 0) {
		snprintf(part, sizeof(part), "%.0f sectors a launch",
			 advice->sectors / (double)advice->launches);
		put_part(out, &is_first, part);
	}
	return fclose(out) == 0 ? text : (free(text), NULL);
}

static void add_advice(struct ct_findings *findings, const struct ct_values_figures *figures,
		       const struct ct_values_advice *advice)
{
	const struct ct_finding like = {
	    .analysis = "values",
	    .id = advice->id,
	    .kind = CT_FINDING_RESULT,
	    .section = CT_VALUES_SECTION,
	    .figure = {100 * advice->share, "%"},
	    .worth = advice->seconds > 0 ? (struct ct_amount){advice->seconds, "s"}
					 : (struct ct_amount){advice->saved_bytes, "B"},
	    .estimate = {advice->estimate, advice->estimate > 0 ? "s" : NULL},
	    .kernel_share = share_of_kernel(figures, advice),
	};

	char *evidence = evidence_of(advice);

	ct_findings_add(findings, &like, "%s", advice->text);
	if (evidence && *evidence)
		ct_findings_because(findings, "%s", evidence);
	free(evidence);
	ct_findings_fix(findings, "%s.", advice->fix);
	if (advice->unit)
		ct_findings_at_site(findings, advice->unit, advice->site);
	ct_findings_at_object(findings, figures->object[advice->subject.group]);
	if (advice->kernel != CT_NONE)
		ct_findings_at_kernel(findings, figures->kernel[advice->kernel].name);
}

/* In several kernels it is a share of what all of them move. */
static bool is_reported(const struct ct_values_figures *figures,
			const struct ct_values_advice *advice)
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
	static const size_t most[2] = {TRAFFIC_MAX, MEMORY_FINDINGS_MAX};
	size_t reported[2] = {0, 0};
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

		if (!inquiry->finds_all &&
		    (reported[advice->is_memory] >= most[advice->is_memory] ||
		     !is_reported(figures, advice)))
			continue;
		reported[advice->is_memory]++;
		add_advice(findings, figures, advice);
	}
	ct_values_advices_fini(&advices);
	return err;
}

static const struct ct_finder_table tables[] = {
    {&ct_value_totals_table, NULL, false},
    {&ct_value_sums_table, NULL, false},
    {&ct_value_lines_table, NULL, true},
    {&ct_value_sets_table, NULL, true},
    {&ct_value_summaries_table, NULL, false},
    {&ct_value_gaps_table, NULL, false},
    {&ct_value_objects_table, NULL, false},
    {&ct_value_contexts_table, NULL, true},
    {&ct_value_launches_table, NULL, false},
    {&ct_value_transfers_table, NULL, false},
    {&ct_value_nodes_table, NULL, false},
    {&ct_value_flows_table, NULL, true},
    {&ct_value_lifetimes_table, NULL, true},
    {&ct_value_memory_table, NULL, false},
    {&ct_value_peaks_table, NULL, false},
    {&ct_value_pairs_table, NULL, false},
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
    .shared = offsetof(struct ct_inquiry, values),
    .tables = tables,
    .close = close_job,
};
