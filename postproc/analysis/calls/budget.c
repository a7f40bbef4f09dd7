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

/* The launches to choose from. */
struct budgeting {
	const struct context *context;
	size_t contexts;
	double seconds, accesses; /* that are allowed; seconds 0: any */
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

/* Returns the part of a launch's CTAs that is recorded if one in so many is, but not too few of
 * them. */
static double part_of_ctas(const struct context *context, uint64_t period)
{
	double ctas = (double)context->launch->event->grid[0] * context->launch->event->grid[1] *
		      context->launch->event->grid[2];
	double most = floor(ctas / CT_BUDGET_BLOCKS_LEAST);

	return 1 / fmax(fmin((double)period, most), 1);
}

/* Returns what one launch in so many of each context, and one CTA in so many of these, as the
 * budget has it, take of what is allowed of time and accesses; above 1: too much. */
static double part_of(const struct budgeting *budgeting, const struct ct_budget *budget)
{
	uint64_t launches = budget->launch_period;
	double taken = 0, accesses = 0;

	for (size_t i = 0; i < budgeting->contexts; i++) {
		const struct context *context = &budgeting->context[i];
		double traced = (double)((context->launches + launches - 1) / launches) *
				part_of_ctas(context, budget->block_period);

		taken += context->seconds * traced;
		accesses += context->accesses * traced;
	}
	return fmax(budgeting->seconds > 0 ? taken / budgeting->seconds : 0,
		    accesses / budgeting->accesses);
}

/* Sets a period of the budget, of launches or of blocks, to the least that is within it, up to
 * most. */
static void choose_period(struct ct_budget *budget, const struct budgeting *budgeting,
			  uint64_t *period, uint64_t most)
{
	uint64_t least = 1;

	while (least < most) {
		*period = least + (most - least) / 2;
		if (part_of(budgeting, budget) <= 1)
			most = *period;
		else
			least = *period + 1;
	}
	*period = least;
}

static void choose(struct ct_budget *budget, const struct budgeting *budgeting)
{
	uint64_t most = 1;

	for (size_t i = 0; i < budgeting->contexts; i++)
		most =
		    budgeting->context[i].launches > most ? budgeting->context[i].launches : most;
	choose_period(budget, budgeting, &budget->launch_period, most);
	if (part_of(budgeting, budget) <= 1)
		return;
	choose_period(budget, budgeting, &budget->block_period, CT_BUDGET_BLOCKS_MOST);
	budget->block_period |= 1; /* odd, for the width of grids is mostly even */
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
		choose(budget, &(struct budgeting){
				   .context = context,
				   .contexts = budget->contexts,
				   .seconds = (double)budget->extra_ns * 1e-9 / rate->slowdown,
				   .accesses = accesses_for(calls->run_ns),
			       });
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
