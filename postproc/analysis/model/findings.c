/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what bounds the kernels that take longest, among all findings. */
#include "postproc/analysis/finder.h"
#include "postproc/analysis/model/all.h"
#include "postproc/analysis/model/tables.h"
#include "postproc/facts/folded_name.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#define FINDINGS_MAX 20u
#define SHARE_MIN 0.05 /* of the time of all kernels: what is reported */
/* The least share of the kernel's time: less is within the error of the prediction
 * (docs/validation.md). */
#define GAIN_MIN 0.25

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct ct_model_study *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->model = (struct ct_model_job){.trace = inquiry->trace,
					   .filter = inquiry->filter,
					   .sectors = CT_MODEL_ALL_SECTORS,
					   .is_optional = true};
	return 0;
}

/* The change that brings most of those that somebody can decide to make; NULL: none brings enough.
 */
static const struct ct_model_change *best_change(const struct ct_model_kernel *kernel)
{
	for (uint32_t i = 0; i < kernel->changes; i++)
		if (kernel->change[i].is_advice)
			return kernel->change[i].seconds >= GAIN_MIN * kernel->predicted
				   ? &kernel->change[i]
				   : NULL;
	return NULL;
}

static bool is_reported(const struct ct_model_study *own, const struct ct_model_kernel *kernel)
{
	return best_change(kernel) && !ct_model_is_launching(kernel) &&
	       kernel->predicted * kernel->launches >= SHARE_MIN * own->all.seconds;
}

static void add_kernel(struct ct_findings *findings, const struct ct_model_study *own,
		       const struct ct_model_kernel *kernel)
{
	const struct ct_model_change *change = best_change(kernel);
	const struct ct_finding like = {
	    .analysis = "model",
	    .id = CT_ID_KERNEL_BOUND,
	    .kind = CT_FINDING_RESULT,
	    .section = CT_MODEL_SECTION,
	    .figure = {100 * kernel->predicted * kernel->launches / own->all.seconds, "%"},
	    .worth = {change->seconds * kernel->launches, "s"},
	    .kernel_estimate = change->seconds / kernel->predicted,
	    .line = change->line,
	};
	char name[CT_BRIEF_NAME_BYTES];

	ct_findings_add(findings, &like, "%s is bound by %s.", ct_shown_name(kernel->name, name),
			kernel->bound);
	ct_findings_because(findings, "%s; predicted for %s", kernel->evidence,
			    own->all.machine.name);
	ct_findings_fix(findings, "If it can be: %s.", change->what);
	ct_findings_at_kernel(findings, kernel->name);
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct ct_model_study *own = job;
	int err;

	if (own->model.is_silent)
		return 0;
	own->all.cubin = inquiry->cubin;
	own->all.cubins = inquiry->cubins;
	err = ct_model_all_make(&own->all, &own->model, inquiry->times);
	if (err < 0)
		return err;
	for (size_t i = 0; i < own->all.kernels && i < FINDINGS_MAX; i++)
		if (is_reported(own, &own->all.kernel[i]))
			add_kernel(findings, own, &own->all.kernel[i]);
	return findings->err;
}

static const struct ct_finder_table tables[] = {
    {&ct_model_machine_table, NULL, false},
    {&ct_model_parameters_table, NULL, false},
    {&ct_model_kernels_table, NULL, true},
    {&ct_model_changes_table, NULL, true},
    {&ct_model_points_table, NULL, true},
    {&ct_model_ceilings_table, NULL, true},
    {&ct_model_instructions_table, NULL, false},
    {&ct_model_simulations_table, NULL, false},
    {&ct_model_gpuperf_table, NULL, false},
    {&ct_model_balances_table, NULL, false},
    {&ct_model_caches_table, NULL, false},
    {&ct_model_cache_lines_table, NULL, false},
    {NULL, NULL, false},
};

static void close_job(void *job)
{
	struct ct_model_study *own = job;

	if (!own)
		return;
	ct_model_all_fini(&own->all);
	ct_model_job_fini(&own->model);
	free(own);
}

static void share(struct ct_inquiry *inquiry, void *job)
{
	inquiry->model = &((struct ct_model_study *)job)->all; /* of no kernel before find */
}

const struct ct_finder ct_model_finder = {
    .needs = CT_STUDY_CALLS,
    .analysis = &ct_model_analysis,
    .open = open_job,
    .share = share,
    .find = find,
    .shared = offsetof(struct ct_inquiry, model),
    .tables = tables,
    .close = close_job,
};
