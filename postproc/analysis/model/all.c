/* SPDX-License-Identifier: Apache-2.0 */
/* All kernels of a trace. */
#include "postproc/analysis/model/all.h"

#include "base/parallel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EPSILON 0.02
#define SAMPLES 4u

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

/* Kernels are simulated side by side. */
struct making {
	const struct ct_model_job *job;
	const struct ct_model_options *how;
	struct ct_model_kernel *kernel;
	bool *is_made; /* by kernel: else nothing is known of it */
};

static int make_kernel(void *user, size_t number)
{
	const struct making *making = user;
	int err =
	    ct_model_kernel(&making->kernel[number], making->job, (uint32_t)number, making->how);

	making->is_made[number] = err == 0;
	return err < 0 ? err : 0;
}

int ct_model_all_make(struct ct_model_all *all, const struct ct_model_job *job,
		      const struct ct_calls *calls)
{
	const struct ct_model_options how = {.machine = &all->machine,
					     .cubin = all->cubin,
					     .cubins = all->cubins,
					     .epsilon = EPSILON,
					     .samples = SAMPLES};
	struct making making = {.job = job, .how = &how};
	bool is_cpu = ct_machine_is_cpu(job->trace);
	uint32_t count = job->results.kernels.count;
	int err;

	ct_machine_of_trace(&all->machine, job->trace);
	all->job = job;
	all->kernel = calloc(count + 1u, sizeof(*all->kernel));
	making.is_made = calloc(count + 1u, sizeof(*making.is_made));
	making.kernel = all->kernel;
	if (!all->kernel || !making.is_made) {
		free(making.is_made);
		return -ENOMEM;
	}
	err = ct_parallel(count, make_kernel, &making);
	for (uint32_t k = 0; k < count; k++) {
		struct ct_model_kernel *next = &all->kernel[k];

		if (!making.is_made[k] || err < 0) {
			ct_model_kernel_fini(next);
			continue;
		}
		/* Times of CPU threads are none of a GPU. */
		take_time(next, is_cpu ? NULL : calls);
		all->seconds += next->predicted * next->launches;
		all->kernel[all->kernels++] = *next;
	}
	free(making.is_made);
	if (err < 0)
		return err;
	qsort(all->kernel, all->kernels, sizeof(*all->kernel), by_time);
	return 0;
}

int ct_model_change(double *saved, const struct ct_model_all *all,
		    const struct ct_model_kernel *kernel, const struct ct_simulate_change *change)
{
	const struct ct_model_options how = {.machine = &all->machine};

	return all->job ? ct_model_kernel_change(saved, kernel, all->job, &how, change) : 1;
}

void ct_model_all_fini(struct ct_model_all *all)
{
	for (size_t i = 0; i < all->kernels; i++)
		ct_model_kernel_fini(&all->kernel[i]);
	free(all->kernel);
	*all = (struct ct_model_all){.kernels = 0};
}

const struct ct_model_kernel *ct_model_all_kernel(const struct ct_model_all *all,
						  const char *symbol)
{
	for (size_t i = 0; all && i < all->kernels; i++)
		if (!strcmp(all->kernel[i].symbol, symbol))
			return &all->kernel[i];
	return NULL;
}
