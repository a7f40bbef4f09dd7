/* SPDX-License-Identifier: Apache-2.0 */
/* How long the kernels of a run take together, and the run. */
#include "postproc/problems/kernel_times.h"

#include "postproc/analysis/calls/calls.h"
#include "postproc/analysis/ffm/study.h"
#include "postproc/analysis/model/all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	const struct ct_kernel_time *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Kernels of the launches, each once. */
static int list_kernels(struct ct_kernel_times *times, struct ct_trace *trace)
{
	const struct ct_launch_info *launch;
	size_t launches = ct_trace_launches(trace, &launch), kept = 0;

	times->list = calloc(launches + 1, sizeof(*times->list));
	if (!times->list)
		return -ENOMEM;
	for (size_t i = 0; i < launches; i++)
		times->list[i] =
		    (struct ct_kernel_time){launch[i].kernel, launch[i].kernel_name, 1, 0, false};
	qsort(times->list, launches, sizeof(*times->list), by_name);
	for (size_t i = 0; i < launches; i++) {
		if (kept && by_name(&times->list[kept - 1], &times->list[i]) == 0)
			times->list[kept - 1].launches++;
		else
			times->list[kept++] = times->list[i];
	}
	times->count = kept;
	return 0;
}

/* The prediction of a launch; 0: there is none. */
static double predicted(const struct ct_model_all *model, const char *symbol)
{
	for (size_t i = 0; model && i < model->kernels; i++)
		if (!strcmp(model->kernel[i].symbol, symbol))
			return model->kernel[i].predicted;
	return 0;
}

static void take_time(struct ct_kernel_time *kernel, const struct ct_inquiry *inquiry)
{
	double seconds = inquiry->times ? ct_calls_mean_seconds(inquiry->times, kernel->symbol) : 0;

	kernel->is_predicted = !(seconds > 0);
	if (kernel->is_predicted)
		seconds = predicted(inquiry->model, kernel->symbol);
	kernel->seconds = seconds * (double)kernel->launches;
}

/* Where no kernel of it was instrumented, which would have taken longer. */
static double run_seconds(const struct ct_inquiry *inquiry)
{
	const struct ct_calls *calls = inquiry->calls;

	if (inquiry->ffm)
		return 1e-9 * (double)inquiry->ffm->run_ns;
	for (size_t i = 0; calls && i < calls->kernels; i++)
		if (calls->kernel[i].is_traced)
			return 0;
	return calls ? 1e-9 * (double)calls->run_ns : 0;
}

int ct_kernel_times_init(struct ct_kernel_times *times, const struct ct_inquiry *inquiry)
{
	int err;

	*times = (struct ct_kernel_times){.run_seconds = run_seconds(inquiry)};
	err = list_kernels(times, inquiry->trace);
	for (size_t i = 0; i < times->count; i++) {
		take_time(&times->list[i], inquiry);
		times->seconds += times->list[i].seconds;
	}
	return err;
}

void ct_kernel_times_fini(struct ct_kernel_times *times)
{
	free(times->list);
	*times = (struct ct_kernel_times){.count = 0};
}

const struct ct_kernel_time *ct_kernel_times_of(const struct ct_kernel_times *times,
						const char *name)
{
	const struct ct_kernel_time key = {.name = name};

	return times->count ? bsearch(&key, times->list, times->count, sizeof(key), by_name) : NULL;
}
