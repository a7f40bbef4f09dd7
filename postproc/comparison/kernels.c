/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a side: how often and how long they ran, what part of them was recorded. */
#include "postproc/comparison/kernels.h"

#include "postproc/analysis/branches/analysis.h"
#include "postproc/analysis/model/all.h"
#include "postproc/facts/folded_name.h"
#include "postproc/problems/kernel_times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *ct_side_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

size_t ct_side_kernel_of(const struct ct_side *side, const char *name)
{
	for (size_t i = 0; i < side->kernels; i++)
		if (!strcmp(side->kernel[i].name, name))
			return i;
	return SIZE_MAX;
}

/* NULL: nothing is predicted. */
static const struct ct_model_kernel *model_of(const struct ct_model_all *model, const char *symbol)
{
	for (size_t i = 0; model && i < model->kernels; i++)
		if (!strcmp(model->kernel[i].symbol, symbol) && model->kernel[i].predicted > 0)
			return &model->kernel[i];
	return NULL;
}

/* Thread blocks of the kernel's launches that are selected, by those that were recorded. */
static double scale_of(const struct ct_inquiry *inquiry, const char *name)
{
	const struct ct_launch_info *launch;
	size_t launches = ct_trace_launches(inquiry->trace, &launch);
	uint64_t all = 0, recorded = 0;

	for (size_t i = 0; i < launches; i++) {
		const struct ct_launch_sample *sample =
		    ct_sampling_of(&inquiry->summary->sampling, &launch[i]);

		if (strcmp(launch[i].kernel, name) != 0 ||
		    (inquiry->filter && !ct_filter_launch(inquiry->filter, &launch[i])))
			continue;
		all += sample->ctas;
		recorded += sample->recorded;
	}
	return recorded ? (double)all / (double)recorded : NAN;
}

static int add_kernel(struct ct_side *side, const struct ct_kernel_time *time)
{
	struct ct_side_kernel *kernel = &side->kernel[side->kernels++];
	const struct ct_model_kernel *model = model_of(side->inquiry->model, time->symbol);
	double mean =
	    side->inquiry->times ? ct_calls_mean_seconds(side->inquiry->times, time->symbol) : 0;

	*kernel = (struct ct_side_kernel){
	    .name = time->name,
	    .symbol = time->symbol,
	    .folded = ct_folded_name(time->name),
	    .launches = time->launches,
	    .scale = scale_of(side->inquiry, time->name),
	    .figures = CT_SIDE_NOTHING,
	    .predicted = model ? model->predicted * (double)time->launches : NAN,
	    .instructions = NAN,
	    .b_itilp = model ? model->perf.b_itilp : NAN,
	    .b_memlp = model ? model->perf.b_memlp : NAN,
	    .b_fp = model ? model->perf.b_fp : NAN,
	    .b_serial = model ? model->perf.b_serial : NAN,
	};
	if (mean > 0)
		kernel->figures.seconds = mean * (double)time->launches;
	side->is_scaled |= kernel->scale > 1;
	return kernel->folded ? 0 : -ENOMEM;
}

/* Adds the instructions of its blocks, where they are recorded. */
static void add_instructions(struct ct_side *side)
{
	const struct ct_branches_results *branches = side->inquiry->branches;

	side->has_blocks = branches && branches->is_recorded;
	for (uint32_t i = 0; side->has_blocks && i < branches->kernels.count; i++) {
		size_t number = ct_side_kernel_of(side, branches->kernels.list[i].name);

		if (number != SIZE_MAX && branches->kernel[i].instructions)
			side->kernel[number].instructions =
			    side->kernel[number].scale * (double)branches->kernel[i].instructions;
	}
}

static bool has_symbol(const struct ct_side *side, const char *symbol)
{
	for (size_t i = 0; i < side->kernels; i++)
		if (!strcmp(side->kernel[i].symbol, symbol))
			return true;
	return false;
}

/* Those that only the times know: of programs without instrumentation no launch is listed. */
static int add_timed(struct ct_side *side)
{
	const struct ct_calls *times = side->inquiry->times;
	int err = 0;

	for (size_t i = 0; times && i < times->kernels && err == 0; i++) {
		const struct ct_calls_kernel *kernel = &times->kernel[i];
		const struct ct_kernel_time time = {.name = kernel->name,
						    .symbol = kernel->symbol,
						    .launches = kernel->times.count};

		if (!kernel->is_traced && kernel->is_timed && !has_symbol(side, kernel->symbol))
			err = add_kernel(side, &time);
	}
	return err;
}

int ct_side_add_kernels(struct ct_side *side)
{
	const struct ct_calls *timed = side->inquiry->times;
	struct ct_kernel_times times;
	int err = ct_kernel_times_init(&times, side->inquiry);

	side->kernel =
	    calloc(times.count + (timed ? timed->kernels : 0) + 1, sizeof(*side->kernel));
	if (!side->kernel)
		err = -ENOMEM;
	side->run_seconds = times.run_seconds > 0 ? times.run_seconds : NAN;
	for (size_t i = 0; i < times.count && err == 0; i++)
		err = add_kernel(side, &times.list[i]);
	if (err == 0)
		err = add_timed(side);
	/* The time of some kernels alone is no sum. */
	side->kernel_seconds = side->kernels ? 0 : NAN;
	for (size_t i = 0; i < side->kernels; i++)
		side->kernel_seconds += side->kernel[i].figures.seconds;
	ct_kernel_times_fini(&times);
	if (err == 0)
		add_instructions(side);
	return err;
}
