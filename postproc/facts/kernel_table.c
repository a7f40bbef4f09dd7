/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a trace by their symbols. */
#include "postproc/facts/kernel_table.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_symbol(const void *a, const void *b)
{
	const struct ct_kernel_entry *x = a, *y = b;

	return strcmp(x->symbol, y->symbol);
}

/* Sorts, and drops what is there twice. */
static void make_unique(struct ct_kernel_table *kernels, size_t count)
{
	qsort(kernels->list, count, sizeof(*kernels->list), compare_symbol);
	for (size_t i = 0; i < count; i++)
		if (!i || strcmp(kernels->list[i].symbol, kernels->list[kernels->count - 1].symbol))
			kernels->list[kernels->count++] = kernels->list[i];
}

int ct_kernel_table_init(struct ct_kernel_table *kernels, const struct ct_trace *trace,
			 const struct ct_filter *filter)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(trace, &launches);

	kernels->list = malloc((count + 1) * sizeof(*kernels->list));
	kernels->of_launch = malloc((count + 1) * sizeof(*kernels->of_launch));
	if (!kernels->list || !kernels->of_launch)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		kernels->list[i] = (struct ct_kernel_entry){.name = launches[i].kernel,
							    .symbol = launches[i].kernel_name};
	make_unique(kernels, count);
	for (size_t i = 0; i < count; i++) {
		const struct ct_kernel_entry key = {.symbol = launches[i].kernel_name};
		struct ct_kernel_entry *found =
		    bsearch(&key, kernels->list, kernels->count, sizeof(key), compare_symbol);

		kernels->of_launch[i] = (uint32_t)(found - kernels->list);
		found->launches += !filter || ct_filter_launch(filter, &launches[i]);
	}
	return 0;
}

void ct_kernel_table_fini(struct ct_kernel_table *kernels)
{
	free(kernels->list);
	free(kernels->of_launch);
	*kernels = (struct ct_kernel_table){.list = NULL};
}
