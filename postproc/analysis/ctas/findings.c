/* SPDX-License-Identifier: Apache-2.0 */
/* Launches whose time is not all used: tails, CTAs that take longer than others, idle SMs. */
#include "postproc/analysis/comm/comm.h"
#include "postproc/analysis/ctas/ctas.h"
#include "postproc/analysis/ctas/part_warps.h"
#include "postproc/analysis/ctas/tables.h"
#include "postproc/analysis/finder.h"
#include "postproc/analysis/model/all.h"
#include "postproc/facts/folded_name.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SECTION "cta_kernels"
#define KERNELS_MAX 50u
#define TAIL_MIN 0.1      /* of the kernel's time */
#define FEW_MIN 0.5       /* likewise */
#define IMBALANCE_MIN 4.0 /* the longest CTA over the mean */
#define SHARE_MIN 0.02    /* of the time of all kernels */

/* worth: of the kernel's seconds, of which it is that share */
static void add(struct ct_findings *findings, const struct ct_ctas *ctas,
		const struct ct_ctas_kernel *kernel, enum ct_finding_id id, double worth,
		double share, const char *text)
{
	const struct ct_finding like = {
	    .analysis = "ctas",
	    .id = id,
	    .kind = CT_FINDING_RESULT,
	    .section = SECTION,
	    .figure = {worth, "s"},
	    .worth = {worth, "s"},
	    .kernel_share = share,
	};

	ct_findings_add(findings, &like, "%s", text);
	ct_findings_at_launch(findings, ctas->launch[kernel->longest].launch);
	ct_findings_at_kernel(findings, kernel->name);
}

static const char *of_traced(const struct ct_ctas_kernel *kernel)
{
	return kernel->is_traced ? " (times of the traced kernel; see --tier=clock)" : "";
}

/* Launches of several streams run at once: the SMs that one leaves idle others have. */
static bool has_streams(const struct ct_ctas *ctas, const struct ct_ctas_kernel *kernel)
{
	const struct ct_launch_info *first = ctas->launch[kernel->longest].launch;

	for (size_t i = 0; i < ctas->launches; i++) {
		const struct ct_launch_info *launch = ctas->launch[i].launch;

		if (!strcmp(launch->kernel, kernel->name) && launch->part == first->part &&
		    launch->event->stream != first->event->stream)
			return true;
	}
	return false;
}

static const char *symbol_of(const struct ct_ctas *ctas, const struct ct_ctas_kernel *kernel)
{
	return ctas->launch[kernel->longest].launch->kernel_name;
}

/* How long a kernel takes: on CPU threads, whose times say nothing of a GPU, as it is predicted to.
 */
static double seconds_of(const struct ct_ctas *ctas, const struct ct_ctas_kernel *kernel,
			 const struct ct_inquiry *inquiry)
{
	const struct ct_model_kernel *predicted =
	    ct_machine_is_cpu(inquiry->trace)
		? ct_model_all_kernel(inquiry->model, symbol_of(ctas, kernel))
		: NULL;

	return predicted ? predicted->predicted * (double)kernel->launches
			 : 1e-9 * (double)kernel->time_ns;
}

static void find_idle(struct ct_findings *findings, const struct ct_ctas *ctas,
		      const struct ct_ctas_kernel *kernel, const struct ct_inquiry *inquiry)
{
	double share = (double)kernel->few_saved_ns / (double)kernel->time_ns;
	double worth = seconds_of(ctas, kernel, inquiry) * share;
	char text[512], brief[CT_BRIEF_NAME_BYTES];

	snprintf(text, sizeof(text),
		 "%.1f %% of the time of %s has fewer thread blocks than SMs%s.",
		 100.0 * (double)kernel->few_ns / (double)kernel->time_ns,
		 ct_shown_name(kernel->name, brief), of_traced(kernel));
	add(findings, ctas, kernel, CT_ID_IDLE_SMS, worth, share, text);
	ct_findings_because(findings, "%llu thread block%s in the smallest launch, %u SMs",
			    (unsigned long long)kernel->least_ctas,
			    kernel->least_ctas == 1 ? "" : "s", kernel->device_sms);
	ct_findings_fix(findings, "Launch at least as many blocks as the device has SMs: smaller "
				  "ones, or work of several launches in one.");
}

static void find_long(struct ct_findings *findings, const struct ct_ctas *ctas,
		      const struct ct_ctas_kernel *kernel)
{
	char text[512], brief[CT_BRIEF_NAME_BYTES];

	snprintf(text, sizeof(text), "The longest thread block of %s takes %.1f times the mean%s.",
		 ct_shown_name(kernel->name, brief), kernel->cta_imbalance, of_traced(kernel));
	add(findings, ctas, kernel, CT_ID_LONG_CTA, 1e-9 * (double)kernel->tail_ns,
	    (double)kernel->tail_ns / (double)kernel->time_ns, text);
	ct_findings_because(findings,
			    "%.1f %% of the kernel's time pass with less than half of "
			    "its blocks resident",
			    100.0 * (double)kernel->tail_ns / (double)kernel->time_ns);
	ct_findings_fix(findings,
			"Divide the work of the long blocks, or begin with them: blocks are "
			"begun in the order of their numbers.");
}

static void find_tail(struct ct_findings *findings, const struct ct_ctas *ctas,
		      const struct ct_ctas_kernel *kernel)
{
	char text[512], brief[CT_BRIEF_NAME_BYTES];

	snprintf(text, sizeof(text), "%.1f %% of the time of %s is its tail%s.",
		 100.0 * (double)kernel->tail_ns / (double)kernel->time_ns,
		 ct_shown_name(kernel->name, brief), of_traced(kernel));
	add(findings, ctas, kernel, CT_ID_TAIL, 1e-9 * (double)kernel->tail_ns,
	    (double)kernel->tail_ns / (double)kernel->time_ns, text);
	ct_findings_because(findings, "%.2f waves of up to %.0f blocks at once", kernel->waves,
			    kernel->slots);
	ct_findings_fix(findings,
			"Let the blocks fill whole waves: other block sizes, smaller blocks, "
			"or as many blocks as fit at once, each with several parts of the "
			"work.");
}

/* Launching it costs most of the time of the kernel, or of so little as its CTAs take. */
static bool is_launching(const struct ct_ctas *ctas, const struct ct_ctas_kernel *kernel,
			 const struct ct_inquiry *inquiry)
{
	const struct ct_model_kernel *predicted =
	    ct_model_all_kernel(inquiry->model, symbol_of(ctas, kernel));
	struct ct_machine machine;

	if (predicted)
		return ct_model_is_launching(predicted);
	ct_machine_of_trace(&machine, inquiry->trace);
	return 1e-9 * (double)kernel->time_ns <
	       machine.kernel_seconds * (double)kernel->launches / (1 - CT_MODEL_RUNNING_MIN);
}

/* How long CTAs take on CPU threads says nothing of a GPU: their number does, if the kernel is
 * predicted to take time there. */
static void look_at(struct ct_findings *findings, const struct ct_ctas *ctas,
		    const struct ct_ctas_kernel *kernel, const struct ct_inquiry *inquiry)
{
	bool has_tail =
	    !kernel->is_uneven && (double)kernel->tail_ns >= TAIL_MIN * (double)kernel->time_ns;
	bool is_cpu = ct_machine_is_cpu(inquiry->trace);

	if (is_launching(ctas, kernel, inquiry))
		return;
	if ((double)kernel->few_ns >= FEW_MIN * (double)kernel->time_ns &&
	    !has_streams(ctas, kernel))
		find_idle(findings, ctas, kernel, inquiry);
	else if (has_tail && !is_cpu && kernel->cta_imbalance >= IMBALANCE_MIN)
		find_long(findings, ctas, kernel);
	else if (has_tail && !is_cpu)
		find_tail(findings, ctas, kernel);
}

struct job {
	struct ct_ctas ctas;
	struct ct_part_warps part_warps;
};

static int open_job(void **job, const struct ct_inquiry *inquiry)
{
	(void)inquiry;
	*job = calloc(1, sizeof(struct job));
	return *job ? 0 : -ENOMEM;
}

static int find(struct ct_findings *findings, void *job, const struct ct_inquiry *inquiry)
{
	struct ct_ctas *ctas = &((struct job *)job)->ctas;
	int err = ct_ctas_init(ctas, inquiry->trace, inquiry->filter);
	double all = 0;
	size_t looked_at = 0;

	for (size_t i = 0; i < ctas->kernels; i++)
		all += seconds_of(ctas, &ctas->kernel[i], inquiry);
	for (size_t i = 0; i < ctas->kernels && looked_at < KERNELS_MAX && err == 0; i++) {
		if (seconds_of(ctas, &ctas->kernel[i], inquiry) < SHARE_MIN * all)
			continue;
		look_at(findings, ctas, &ctas->kernel[i], inquiry);
		looked_at++;
	}
	return err == 0 ? ct_part_warps_find(&((struct job *)job)->part_warps, findings, inquiry)
			: err;
}

static void close_job(void *job)
{
	struct job *own = job;

	if (!own)
		return;
	ct_part_warps_fini(&own->part_warps);
	ct_ctas_fini(&own->ctas);
	free(own);
}

static const void *ctas_of(const void *job, const struct ct_inquiry *inquiry)
{
	(void)inquiry;
	return &((const struct job *)job)->ctas;
}

static const struct ct_finder_table tables[] = {
    {&ct_cta_kernels_table, ctas_of, true},
    {&ct_cta_launches_table, ctas_of, false},
    {&ct_cta_course_table, ctas_of, false},
    {NULL, NULL, false},
};

const struct ct_finder ct_ctas_finder = {
    .needs = CT_STUDY(comm) | CT_STUDY(model),
    .open = open_job,
    .find = find,
    .tables = tables,
    .close = close_job,
};
