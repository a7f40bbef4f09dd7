/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that warps wait for. */
#include "postproc/analysis/blame/waits.h"

#include <stdlib.h>
#include <string.h>

#define WAITS_MIN 0.01 /* of all samples: waits that are reported */

const struct ct_blame_wait *ct_blame_first_wait(const struct ct_blame *blame, uint32_t variable)
{
	size_t low = 0, high = blame->waits;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (blame->wait[middle].variable < variable)
			low = middle + 1;
		else
			high = middle;
	}
	return low < blame->waits && blame->wait[low].variable == variable ? &blame->wait[low]
									   : NULL;
}

static int by_waits(const void *a, const void *b)
{
	const struct ct_blame_waited *x = a, *y = b;
	int order;

	if (x->variable->waits != y->variable->waits)
		return x->variable->waits > y->variable->waits ? -1 : 1;
	order = strcmp(x->variable->name, y->variable->name);
	return order ? order : strcmp(x->variable->function, y->variable->function);
}

struct ct_blame_waited *ct_blame_sort_waited(const struct ct_blame *blame, size_t *count)
{
	struct ct_blame_waited *waited = malloc((blame->variables + 1) * sizeof(*waited));

	*count = 0;
	for (uint32_t v = 0; waited && v < blame->variables; v++) {
		const struct ct_blame_variable *of = &blame->variable[v];

		if (of->parent == CT_NONE && of->waits > 0 && of->waits >= WAITS_MIN * blame->total)
			waited[(*count)++] =
			    (struct ct_blame_waited){of, ct_blame_first_wait(blame, v)};
	}
	if (*count)
		qsort(waited, *count, sizeof(*waited), by_waits);
	return waited;
}
