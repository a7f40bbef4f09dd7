/* SPDX-License-Identifier: Apache-2.0 */
/* Which launches and CTAs a traced run records, by the times of a run that was not traced. */
#include "postproc/analysis/calls/budget.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct context {
	const struct ct_launch_info *launch; /* one of them */
	uint64_t launches;
	double seconds, accesses; /* of a launch */
};

static int by_context(const void *a, const void *b)
{
	const struct ct_launch_info *x = ((const struct context *)a)->launch;
	const struct ct_launch_info *y = ((const struct context *)b)->launch;
	int order = strcmp(x->kernel_name, y->kernel_name);

	return order ? order : strcmp(x->site, y->site);
}

static double threads_of(const struct ct_event_launch *event)
{
	double threads = 1;

	for (unsigned d = 0; d < 3; d++)
		threads *= (double)event->grid[d] * event->block[d];
	return threads;
}

/* Launches of kernels with a clone, then those of a context as one. Returns how many contexts. */
static size_t find_contexts(struct context *context, struct ct_trace *trace)
{
	const struct ct_launch_info *launch;
	size_t launches = ct_trace_launches(trace, &launch), count = 0, kept = 0;

	for (size_t i = 0; i < launches; i++)
		if (launch[i].event->unit_id)
			context[count++] = (struct context){&launch[i], 1, 0, 0};
	qsort(context, count, sizeof(*context), by_context);
	for (size_t i = 0; i < count; i++) {
		if (kept && by_context(&context[kept - 1], &context[i]) == 0)
			context[kept - 1].launches++;
		else
			context[kept++] = context[i];
	}
	return kept;
}

static double accesses_for(uint64_t run_ns)
{
	return fmin(
	    fmax((double)run_ns * 1e-9 * CT_BUDGET_ACCESSES_A_SECOND, CT_BUDGET_ACCESSES_LEAST),
	    CT_BUDGET_ACCESSES_MOST);
}

/* What one launch in so many of each context takes of what is allowed of time and accesses; above
 * 1: too much. seconds: allowed; 0: any; most: accesses */
static double part_of(const struct context *context, size_t contexts, uint64_t period,
		      double seconds, double most)
{
	double taken = 0, accesses = 0;

	for (size_t i = 0; i < contexts; i++) {
		double launches = (double)((context[i].launches + period - 1) / period);

		taken += context[i].seconds * launches;
		accesses += context[i].accesses * launches;
	}
	return fmax(seconds > 0 ? taken / seconds : 0, accesses / most);
}

/* The least period that is within it, then that of CTAs. */
static void choose(struct ct_budget *budget, const struct context *context, double seconds,
		   double accesses)
{
	uint64_t least = 1, most = 1;
	double part;

	for (size_t i = 0; i < budget->contexts; i++)
		most = context[i].launches > most ? context[i].launches : most;
	while (least < most) {
		uint64_t middle = least + (most - least) / 2;

		if (part_of(context, budget->contexts, middle, seconds, accesses) <= 1)
			most = middle;
		else
			least = middle + 1;
	}
	budget->launch_period = least;
	part = part_of(context, budget->contexts, least, seconds, accesses);
	/* Odd, for the width of grids is mostly even. */
	if (part > 1)
		budget->block_period = (uint64_t)ceil(part) | 1;
}

int ct_budget_find(struct ct_budget *budget, struct ct_trace *trace, const struct ct_calls *calls,
		   uint64_t times, const struct ct_budget_rate *rate)
{
	const struct ct_launch_info *launch;
	size_t launches = ct_trace_launches(trace, &launch);
	struct context *context = calloc(launches + 1, sizeof(*context));
	uint64_t extra_ns = times ? (times - 1) * calls->run_ns : 0;

	*budget = (struct ct_budget){.launch_period = 1, .block_period = 1};
	if (!context)
		return -ENOMEM;
	budget->contexts = find_contexts(context, trace);
	for (size_t i = 0; i < budget->contexts; i++) {
		context[i].seconds = ct_calls_mean_seconds(calls, context[i].launch->kernel_name);
		context[i].accesses = fmax(context[i].seconds * rate->accesses,
					   CT_BUDGET_THREAD * threads_of(context[i].launch->event));
		budget->launches += context[i].launches;
		budget->kernels_ns +=
		    (uint64_t)(1e9 * context[i].seconds * (double)context[i].launches);
	}
	budget->extra_ns = extra_ns > CT_BUDGET_LEAST_NS ? extra_ns : CT_BUDGET_LEAST_NS;
	if (times)
		choose(budget, context, (double)budget->extra_ns * 1e-9 / rate->slowdown,
		       accesses_for(calls->run_ns));
	free(context);
	return 0;
}

uint64_t ct_budget_sample_cycles(const struct ct_calls *calls)
{
	uint64_t cycles = CT_BUDGET_CYCLES_MOST;
	double ns = 0;

	for (size_t i = 0; i < calls->kernels; i++)
		ns += calls->kernel[i].is_timed ? (double)calls->kernel[i].times.total_ns : 0;
	if (!(ns > 0))
		return 0;
	while (cycles > CT_BUDGET_CYCLES_LEAST &&
	       ns * CT_BUDGET_CYCLES_MOST < (double)CT_BUDGET_SAMPLES_NS * (double)cycles)
		cycles /= 2;
	return cycles;
}
