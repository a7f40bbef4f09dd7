/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that most is executed for, among all findings. */
#include "postproc/analysis/blame/blame.h"
#include "postproc/analysis/blame/tables.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/samples/samples.h"
#include "postproc/facts/folded_name.h"
#include "postproc/facts/source_name.h"

#include <errno.h>
#include <stdlib.h>

#define SECTION "blame_variables"
#define ABOUT                                                                                      \
	"What is executed flows into the values of variables: through other values, memory, "      \
	"branches and calls. Weights are "
#define COUNTED "dynamic instruction counts of lanes."
#define SAMPLED "samples of where warps were: the time that they spend there."

/* Begins with what the analysis takes. */
struct finder_job {
	struct ct_blame_job weights;
	struct ct_blame_job sampled; /* of the trace with samples */
	struct ct_blame blame;       /* after find, as the next */
	struct ct_blame_weighing weighing;
	bool is_made;
};

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct finder_job *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->weights = (struct ct_blame_job){
	    .trace = inquiry->trace, .filter = inquiry->filter, .is_optional = true};
	return 0;
}

/* Samples tell what is slow; where there are none, what was executed is weighed. */
static int make(struct finder_job *own, const struct ct_inquiry *inquiry)
{
	if (!inquiry->samples)
		return ct_blame_make(&own->blame, &own->weights, inquiry->paths, CT_BLAME_LANES);
	own->sampled.trace = inquiry->sampled;
	own->sampled.filter = inquiry->filter;
	ct_blame_job_units(&own->sampled);
	return ct_blame_make_sampled(&own->blame, &own->sampled,
				     inquiry->sampled == inquiry->trace ? inquiry->paths : NULL,
				     &inquiry->samples->weights);
}

/* Finds what weighs most, which is the analysis' only result: there is nothing to advise. */
static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct finder_job *own = job;
	const struct ct_blame_variable *most = NULL;
	char *function, brief[CT_BRIEF_NAME_BYTES];
	int err;

	if (own->weights.is_silent || (!own->weights.weights.weights && !inquiry->samples))
		return 0;
	own->is_made = true;
	err = make(own, inquiry);
	own->blame.lists_all = inquiry->lists_all;
	own->weighing = (struct ct_blame_weighing){
	    .blame = &own->blame,
	    .sampled = inquiry->samples ? &inquiry->samples->facts : NULL,
	    .cpu_missing =
		ct_blame_missing_of_host(inquiry->samples ? inquiry->sampled : inquiry->trace),
	    .is_of_warps = inquiry->samples != NULL,
	};
	for (size_t v = 0; err == 0 && v < own->blame.variables; v++)
		if (own->blame.variable[v].parent == CT_NONE &&
		    (!most || own->blame.variable[v].exclusive > most->exclusive))
			most = &own->blame.variable[v];
	if (err < 0 || !most || !(most->exclusive > 0))
		return err;
	function = ct_source_name(most->function);
	if (!function)
		return -ENOMEM;
	ct_findings_add(findings,
			&(struct ct_finding){
			    .analysis = "blame",
			    .id = CT_ID_MOST_BLAMED,
			    .kind = CT_FINDING_RESULT,
			    .section = SECTION,
			    .figure = {100 * most->exclusive / own->blame.total, "%"},
			},
			inquiry->samples
			    ? "More time is spent for %s of %s than for any other variable."
			    : "More is executed for %s of %s than for any other variable.",
			most->name, *function ? ct_shown_name(function, brief) : "the program");
	ct_findings_because(
	    findings, "Of the %s, so many flow into it before they flow into another variable",
	    inquiry->samples ? "samples of where warps were" : "instructions that lanes execute");
	free(function);
	return 0;
}

static const void *blame_of(const void *job, const struct ct_inquiry *inquiry)
{
	const struct finder_job *own = job;

	(void)inquiry;
	return own->is_made ? &own->blame : NULL;
}

static const void *weighing_of(const void *job, const struct ct_inquiry *inquiry)
{
	const struct finder_job *own = job;

	(void)inquiry;
	return own->is_made ? &own->weighing : NULL;
}

static const struct ct_finder_table tables[] = {
    {&ct_blame_totals_table, weighing_of, false},
    {&ct_blame_variables_table, blame_of, true},
    {&ct_blame_waits_table, blame_of, false},
    {&ct_blame_objects_table, blame_of, false},
    {&ct_blame_launches_table, blame_of, false},
    {&ct_blame_functions_table, blame_of, false},
    {NULL, NULL, false},
};

static void show(struct ct_section *section, const void *job, const struct ct_inquiry *inquiry)
{
	section->blame = &((const struct finder_job *)job)->blame;
	section->about = inquiry->samples ? ABOUT SAMPLED : ABOUT COUNTED;
}

static void close_job(void *job)
{
	struct finder_job *own = job;

	if (!own)
		return;
	if (own->is_made)
		ct_blame_fini(&own->blame);
	ct_blame_job_fini(&own->weights);
	free(own);
}

static void share(struct ct_inquiry *inquiry, void *job)
{
	inquiry->blocks = &((struct finder_job *)job)->weights.weights;
}

const struct ct_finder ct_blame_finder = {
    .needs = CT_STUDY_SAMPLES | CT_STUDY_CALLS,
    .analysis = &ct_blame_analysis,
    .open = open_job,
    .share = share,
    .find = find,
    .tables = tables,
    .show = show,
    .close = close_job,
};
