/* SPDX-License-Identifier: Apache-2.0 */
/* Launches by kernel. */
#include "postproc/analysis/totals/kernels.h"
#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_symbols(const void *a, const void *b)
{
	const struct ct_launch_info *x = *(const struct ct_launch_info *const *)a;
	const struct ct_launch_info *y = *(const struct ct_launch_info *const *)b;
	int order = x->kernel_name == y->kernel_name ? 0 : strcmp(x->kernel_name, y->kernel_name);

	return order ? order : x < y ? -1 : x > y;
}

static int compare_first(const void *a, const void *b)
{
	const struct ct_kernel_totals *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static int add_launch(struct ct_kernel_totals *kernel, const struct ct_launch_info *launch,
		      const struct ct_launch_sample *sample, const struct ct_launch_totals *totals)
{
	if (launch->event->flags & CT_LAUNCH_TRACED) {
		kernel->traced++;
		kernel->counted += launch->event->tier == CT_TIER_COUNTS;
		kernel->lossy += sample->lost_unknown || sample->lost_chunks;
		kernel->ctas += sample->ctas;
		kernel->recorded += sample->recorded;
	} else if (!kernel->left) {
		kernel->left = launch;
	}
	kernel->failed += launch->error != 0;
	kernel->bounds += ct_launch_totals_is_bound(totals, launch);
	return ct_launch_totals_add(&kernel->totals, totals);
}

/* The launches that pass, sorted by symbol; free it. */
static const struct ct_launch_info **sort_launches(const struct ct_launch_info *launches,
						   size_t count, const struct ct_filter *filter,
						   size_t *passed)
{
	const struct ct_launch_info **sorted = malloc((count + 1) * sizeof(*sorted));

	*passed = 0;
	for (size_t i = 0; sorted && i < count; i++)
		if (!filter || ct_filter_launch(filter, &launches[i]))
			sorted[(*passed)++] = &launches[i];
	if (sorted)
		qsort(sorted, *passed, sizeof(*sorted), compare_symbols);
	return sorted;
}

int ct_kernels_init(struct ct_kernels *kernels, const struct ct_trace *trace,
		    const struct ct_totals *totals, const struct ct_sampling *sampling,
		    const struct ct_filter *filter)
{
	const struct ct_launch_info *launches, **sorted;
	size_t count = ct_trace_launches(trace, &launches), passed;
	int err = 0;

	*kernels = (struct ct_kernels){.count = 0};
	sorted = sort_launches(launches, count, filter, &passed);
	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < passed && err == 0; i++) {
		size_t index = (size_t)(sorted[i] - launches);

		if (i == 0 || strcmp(sorted[i]->kernel_name, sorted[i - 1]->kernel_name) != 0) {
			err = ct_array_grow(&kernels->list, kernels->count, sizeof(*kernels->list));
			if (err < 0)
				break;
			kernels->list[kernels->count++] =
			    (struct ct_kernel_totals){.first = sorted[i]};
		}
		err = add_launch(&kernels->list[kernels->count - 1], sorted[i],
				 &sampling->launch[index], ct_totals_launch(totals, index));
	}
	free(sorted);
	if (kernels->count)
		qsort(kernels->list, kernels->count, sizeof(*kernels->list), compare_first);
	return err;
}

void ct_kernels_fini(struct ct_kernels *kernels)
{
	for (size_t i = 0; i < kernels->count; i++)
		free(kernels->list[i].totals.other);
	free(kernels->list);
}
