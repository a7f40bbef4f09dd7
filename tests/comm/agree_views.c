/* SPDX-License-Identifier: Apache-2.0 */
/* Density and distance by launches that read and by kernel pair, against the naive transfers. */
#include "tests/comm/agree.h"
#include "tests/comm/bag.h"
#include <string.h>

static void same(struct disagreement *found, const char *figure, uint64_t expected, uint64_t got)
{
	if (expected != got)
		disagree(found, figure, (double)expected, (double)got);
}

static unsigned distance_bin(uint64_t distance)
{
	unsigned bin = 0;

	for (; distance; distance /= 2)
		bin++;
	return bin;
}

static bool is_kernel(const struct reference *reference, uint64_t superstep,
		      const struct ct_comm_figures *got, uint32_t kernel)
{
	return strcmp(reference->figures.kernel[reference->kernel[superstep]].symbol,
		      got->kernel[kernel].symbol) == 0;
}

static void agree_view(const struct reference *reference, const struct ct_comm_figures *got,
		       size_t number, struct disagreement *found)
{
	const struct ct_comm_density *density = &reference->figures.density;
	const struct ct_comm_view *view = &got->views.view[number];
	uint64_t per_bin = got->views.ctas_per_bin, distance[CT_COMM_VIEW_DISTANCES] = {0};
	struct bag cells = {0};

	for (size_t i = 0; i < reference->transfers.count; i++) {
		const struct bag_entry *transfer = &reference->transfers.entry[i];
		const uint64_t *key = transfer->key;
		struct bag_entry *cell;

		if (number < got->views.slots ? key[2] < view->first || key[2] > view->last
					      : !is_kernel(reference, key[0], got, view->first) ||
						    !is_kernel(reference, key[2], got, view->last))
			continue;
		distance[distance_bin(before_distance(&reference->before, (uint32_t)key[0],
						      (uint32_t)key[2]))] += transfer->value[0];
		if (key[1] < density->first_cta || key[1] > density->last_cta ||
		    key[3] < density->first_cta || key[3] > density->last_cta)
			continue;
		cell = bag_at(&cells, (key[1] - density->first_cta) / per_bin,
			      (key[3] - density->first_cta) / per_bin, 0, 0);
		cell->value[0]++;
		cell->value[1] += transfer->value[0];
	}
	bag_sort(&cells);
	same(found, "view: cells", cells.count, view->cells);
	for (size_t i = 0; i < cells.count && i < view->cells; i++) {
		same(found, "view: source", cells.entry[i].key[0], view->cell[i].source);
		same(found, "view: target", cells.entry[i].key[1], view->cell[i].target);
		same(found, "view: transfers", cells.entry[i].value[0], view->cell[i].transfers);
		same(found, "view: bytes", cells.entry[i].value[1], view->cell[i].bytes);
	}
	for (size_t d = 0; d < CT_COMM_VIEW_DISTANCES; d++)
		same(found, "view: distance", distance[d], view->distance[d]);
	bag_fini(&cells);
}

void agree_views(const struct reference *reference, const struct ct_comm_figures *got,
		 struct disagreement *found)
{
	const struct ct_comm_views *views = &got->views;
	uint64_t launches = 0, bytes[2] = {0};

	if (!reference->options.views)
		return;
	for (size_t i = 0; i < views->count; i++) {
		agree_view(reference, got, i, found);
		launches += views->view[i].launches;
		bytes[i >= views->slots] += views->view[i].bytes;
	}
	/* No transfer is in two views of a kind or in none. */
	same(found, "views: launches", reference->figures.launches, launches);
	same(found, "views: bytes of launches", reference->figures.volume.transferred_bytes,
	     bytes[0]);
	if (views->kernels == got->kernels)
		same(found, "views: bytes of pairs", reference->figures.volume.transferred_bytes,
		     bytes[1]);
}
