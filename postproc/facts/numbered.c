/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a trace, numbered. */
#include "postproc/facts/numbered.h"
#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where symbol stands in sorted, or would. */
static size_t place_of(const struct ct_numbered_kernels *kernels, const char *symbol)
{
	size_t low = 0, high = kernels->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(kernels->list[kernels->sorted[middle]].symbol, symbol) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t ct_numbered_kernel_of(const struct ct_numbered_kernels *kernels, const char *symbol)
{
	size_t at = place_of(kernels, symbol);

	if (at == kernels->count || strcmp(kernels->list[kernels->sorted[at]].symbol, symbol))
		return UINT64_MAX;
	return kernels->sorted[at];
}

static struct ct_numbered_kernel *find_or_add(struct ct_numbered_kernels *kernels,
					      const struct ct_numbered_kernel *kernel)
{
	size_t at = place_of(kernels, kernel->symbol);

	if (at < kernels->count &&
	    !strcmp(kernels->list[kernels->sorted[at]].symbol, kernel->symbol))
		return &kernels->list[kernels->sorted[at]];
	if (ct_array_grow(&kernels->list, kernels->count, sizeof(*kernels->list)) < 0 ||
	    ct_array_grow(&kernels->sorted, kernels->count, sizeof(*kernels->sorted)) < 0)
		return NULL;
	memmove(&kernels->sorted[at + 1], &kernels->sorted[at],
		(kernels->count - at) * sizeof(*kernels->sorted));
	kernels->sorted[at] = (uint32_t)kernels->count;
	kernels->list[kernels->count] = *kernel;
	return &kernels->list[kernels->count++];
}

static int add_launched(struct ct_numbered_kernels *kernels, const struct ct_trace *trace)
{
	const struct ct_launch_info *launch;
	size_t count = ct_trace_launches(trace, &launch);

	for (size_t i = 0; i < count; i++, launch++) {
		const struct ct_numbered_kernel like = {
		    .symbol = launch->kernel_name,
		    .name = launch->kernel,
		    .unit = launch->kernel_index == CT_NONE ? NULL : launch->unit,
		    .index = launch->kernel_index,
		};
		struct ct_numbered_kernel *kernel = find_or_add(kernels, &like);

		if (!kernel)
			return -ENOMEM;
		kernel->launches++;
		kernel->traced_launches += (launch->event->flags & CT_LAUNCH_TRACED) != 0;
	}
	return 0;
}

int ct_numbered_kernels_init(struct ct_numbered_kernels *kernels, const struct ct_trace *trace)
{
	const struct ct_unit *unit;
	size_t count = ct_trace_units(trace, &unit);
	int err;

	memset(kernels, 0, sizeof(*kernels));
	err = add_launched(kernels, trace);
	for (size_t u = 0; u < count && err == 0; u++, unit++) {
		for (uint32_t k = 0; k < unit->header->kernel_count; k++) {
			const struct ct_numbered_kernel like = {
			    .symbol = ct_unit_string(unit, unit->kernels[k].name),
			    .name = ct_unit_string(unit, unit->kernels[k].display),
			    .unit = unit,
			    .index = k,
			};

			if (!find_or_add(kernels, &like))
				err = -ENOMEM;
		}
	}
	if (err < 0)
		ct_numbered_kernels_fini(kernels);
	return err;
}

void ct_numbered_kernels_fini(struct ct_numbered_kernels *kernels)
{
	free(kernels->list);
	free(kernels->sorted);
	memset(kernels, 0, sizeof(*kernels));
}

int ct_first_sites(const struct ct_trace *trace, uint32_t **first)
{
	const struct ct_unit *units;
	size_t count = ct_trace_units(trace, &units);
	uint64_t sites = 0;

	*first = calloc(count + 1, sizeof(**first));
	if (!*first)
		return -ENOMEM;
	for (size_t u = 0; u < count; u++) {
		sites += units[u].header->site_count;
		(*first)[u + 1] = (uint32_t)sites;
	}
	return sites > UINT32_MAX ? -EOVERFLOW : 0;
}
