/* SPDX-License-Identifier: Apache-2.0 */
/* What bounds the kernels that take longest, among all findings. */
#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/model/section.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FINDINGS_MAX 3u
#define SHARE_MIN 0.05     /* of the time of all kernels: what is told of */
#define SECTORS (1u << 20) /* of a launch: all analyses share the memory */
#define EPSILON 0.02
#define SAMPLES 4u

struct finder_job {
	struct ct_model_job model;
	struct ct_machine machine;
	struct ct_model_kernel *kernel; /* NULL until find */
	size_t kernels;
	double seconds; /* of all launches of all of them */
};

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	struct finder_job *own = calloc(1, sizeof(*own));

	*job = own;
	if (!own)
		return -ENOMEM;
	own->model = (struct ct_model_job){.trace = inquiry->trace,
					   .filter = inquiry->filter,
					   .sectors = SECTORS,
					   .is_optional = true};
	return 0;
}

/* Times of launches that are not traced, of the same run. */
static void take_time(struct ct_model_kernel *kernel, const struct ct_calls *calls)
{
	for (size_t i = 0; calls && i < calls->kernels; i++) {
		const struct ct_calls_kernel *timed = &calls->kernel[i];

		if (!timed->is_timed || timed->is_traced || !timed->times.count ||
		    strcmp(timed->symbol, kernel->symbol) != 0)
			continue;
		kernel->measured.count = timed->times.count;
		kernel->measured.seconds =
		    1e-9 * (double)timed->times.total_ns / (double)timed->times.count;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct ct_model_kernel *x = a, *y = b;
	double s = x->predicted * x->launches, t = y->predicted * y->launches;

	return (s < t) - (s > t);
}

static int model_all(struct finder_job *own, const struct ct_inquiry *inquiry)
{
	const struct ct_model_options how = {
	    .machine = &own->machine, .epsilon = EPSILON, .samples = SAMPLES};
	bool is_cpu = ct_machine_is_cpu(inquiry->trace);
	uint32_t count = own->model.results.kernels.count;

	ct_machine_of_trace(&own->machine, inquiry->trace);
	own->kernel = calloc(count + 1u, sizeof(*own->kernel));
	if (!own->kernel)
		return -ENOMEM;
	for (uint32_t k = 0; k < count; k++) {
		struct ct_model_kernel *next = &own->kernel[own->kernels];
		int err = ct_model_kernel(next, &own->model, k, &how);

		if (err != 0)
			ct_model_kernel_fini(next);
		if (err < 0)
			return err;
		if (err > 0)
			continue;
		/* Times of CPU threads are none of a GPU. */
		take_time(next, is_cpu ? NULL : inquiry->calls);
		own->seconds += next->predicted * next->launches;
		own->kernels++;
	}
	qsort(own->kernel, own->kernels, sizeof(*own->kernel), by_time);
	return 0;
}

static void add_kernel(struct ct_findings *findings, const struct finder_job *own,
		       const struct ct_model_kernel *kernel)
{
	const struct ct_model_change *change = &kernel->change[0];
	const struct ct_finding like = {
	    .analysis = "model",
	    .name = "kernel-bound",
	    .kind = CT_FINDING_RESULT,
	    .section = CT_MODEL_SECTION,
	    .figure = {100 * kernel->predicted * kernel->launches / own->seconds, "%"},
	    .worth = {change->seconds * kernel->launches, "s"},
	};

	ct_findings_add(findings, &like, "%s is bound by %s.", kernel->name, kernel->bound);
	ct_findings_because(findings, "%s; predicted for %s", kernel->evidence, own->machine.name);
	ct_findings_fix(findings, "If it can be: %s.", change->what);
	ct_findings_at_kernel(findings, kernel->name);
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct finder_job *own = job;
	int err;

	if (own->model.is_silent)
		return 0;
	err = model_all(own, inquiry);
	if (err < 0)
		return err;
	for (size_t i = 0; i < own->kernels && i < FINDINGS_MAX; i++)
		if (own->kernel[i].changes &&
		    own->kernel[i].predicted * own->kernel[i].launches >= SHARE_MIN * own->seconds)
			add_kernel(findings, own, &own->kernel[i]);
	return findings->err;
}

static int show(struct ct_sections *sections, void *job, const struct ct_inquiry *inquiry)
{
	const struct finder_job *own = job;

	(void)inquiry;
	ct_model_show(sections, own->kernel, own->kernels);
	return sections->err;
}

static void close_job(void *job)
{
	struct finder_job *own = job;

	if (!own)
		return;
	for (size_t i = 0; i < own->kernels; i++)
		ct_model_kernel_fini(&own->kernel[i]);
	free(own->kernel);
	ct_model_job_fini(&own->model);
	free(own);
}

const struct ct_finder ct_model_finder = {
    .analysis = &ct_model_analysis,
    .open = open_job,
    .find = find,
    .show = show,
    .close = close_job,
};
