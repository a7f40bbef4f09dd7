/* SPDX-License-Identifier: Apache-2.0 */
/* Density maps of the page: of all transfers, and of those of some launches or pairs of kernels. */
#include "postproc/render/report/parts.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct row_page_views {
	uint64_t number, bytes, launches, first, last;
	const char *source_kernel, *target_kernel;
	const struct ct_comm_density *map;
	uint64_t ctas_per_bin, bins;
};

#define row_page_cells ct_comm_cell

struct row_page_distances {
	unsigned distance;
	uint64_t bytes;
};

#define CT_DESCRIBED "postproc/render/report/views.def"
#include "postproc/tables/described.h"

enum { CELLS, DISTANCES };

static int compare(const void *a, const void *b)
{
	const struct ct_comm_cell *x = a, *y = b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return (x->target > y->target) - (x->target < y->target);
}

/* Halve the resolution. Returns the number of cells left. */
static size_t merge(struct ct_comm_cell *cell, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		cell[i].source /= 2;
		cell[i].target /= 2;
	}
	qsort(cell, count, sizeof(*cell), compare);
	for (size_t i = 0; i < count; i++) {
		if (kept && !compare(&cell[kept - 1], &cell[i])) {
			cell[kept - 1].transfers += cell[i].transfers;
			cell[kept - 1].bytes += cell[i].bytes;
		} else {
			cell[kept++] = cell[i];
		}
	}
	return kept;
}

static int put_cells(struct ct_table_sink *sink, const struct ct_comm_cell *cell, size_t count)
{
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++)
		err = ct_table_put_child(sink, CELLS, &cell[i]);
	return err;
}

/* Puts all transfers, with as many cells as the page holds. */
static int put_whole(const struct ct_comm_figures *f, struct ct_table_sink *sink)
{
	const struct ct_comm_density *density = &f->density;
	struct ct_comm_cell *cell = malloc((density->cells + 1) * sizeof(*cell));
	struct row_page_views row = {
	    .bytes = f->volume.transferred_bytes,
	    .launches = CT_MISSING,
	    .first = CT_MISSING,
	    .last = CT_MISSING,
	    .map = density,
	    .ctas_per_bin = density->ctas_per_bin,
	    .bins = density->bins,
	};
	size_t cells = density->cells;
	int err;

	if (!cell)
		return -ENOMEM;
	if (cells)
		memcpy(cell, density->cell, cells * sizeof(*cell));
	while (cells > CT_REPORT_CELLS && row.bins > 1) {
		cells = merge(cell, cells);
		row.bins = (row.bins + 1) / 2;
		row.ctas_per_bin *= 2;
	}
	err = ct_table_put_row(sink, &row);
	if (err == 0)
		err = put_cells(sink, cell, cells);
	free(cell);
	return err;
}

static int put_view(struct ct_table_sink *sink, const struct ct_comm_view *view,
		    struct row_page_views *row, const struct ct_comm_figures *f)
{
	int err;

	row->number = ++sink->given;
	row->bytes = view->bytes;
	row->map = &f->density;
	row->ctas_per_bin = f->views.ctas_per_bin;
	row->bins = f->views.bins;
	err = ct_table_put_row(sink, row);
	if (err == 0)
		err = put_cells(sink, view->cell, view->cells);
	for (unsigned d = 0; d < CT_COMM_VIEW_DISTANCES && err == 0; d++)
		if (view->distance[d])
			err = ct_table_put_child(
			    sink, DISTANCES, &(struct row_page_distances){d, view->distance[d]});
	return err;
}

static int put_launches(const struct ct_comm_figures *f, struct ct_table_sink *sink)
{
	int err = 0;

	for (size_t i = 0; i < f->views.slots && err == 0; i++) {
		const struct ct_comm_view *view = &f->views.view[i];
		struct row_page_views row = {.launches = view->launches};

		if (!view->bytes)
			continue;
		row.first = f->superstep[view->first].launch->event->launch;
		row.last = f->superstep[view->last].launch->event->launch;
		row.target_kernel = f->superstep[view->first].launch->kernel;
		err = put_view(sink, view, &row, f);
	}
	return err;
}

static int heavier(const void *a, const void *b)
{
	const struct ct_comm_view *x = *(const struct ct_comm_view *const *)a;
	const struct ct_comm_view *y = *(const struct ct_comm_view *const *)b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return (x > y) - (x < y);
}

/* The heaviest. */
static int put_pairs(const struct ct_comm_figures *f, struct ct_table_sink *sink)
{
	const struct ct_comm_views *views = &f->views;
	const struct ct_comm_view **pair = calloc(views->count + 1, sizeof(*pair));
	size_t count = 0;
	int err = 0;

	if (!pair)
		return -ENOMEM;
	for (size_t i = views->slots; i < views->count; i++)
		if (views->view[i].bytes)
			pair[count++] = &views->view[i];
	qsort(pair, count, sizeof(*pair), heavier);
	for (size_t i = 0; i < count && i < CT_REPORT_PAIR_VIEWS && err == 0; i++) {
		struct row_page_views row = {
		    .launches = CT_MISSING,
		    .first = CT_MISSING,
		    .last = CT_MISSING,
		    .source_kernel = f->kernel[pair[i]->first].name,
		    .target_kernel = f->kernel[pair[i]->last].name,
		};

		err = put_view(sink, pair[i], &row, f);
	}
	free(pair);
	return err;
}

static int rows_page_views(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_figures *f = ((const struct ct_report_writer *)from)->figures;
	int err = put_whole(f, sink);

	if (err == 0)
		err = put_launches(f, sink);
	if (err == 0)
		err = put_pairs(f, sink);
	return err;
}

#define rows_page_cells NULL
#define rows_page_distances NULL
static const struct ct_table_def cells = {CT_TABLE_PARTS(page_cells, NULL)};
static const struct ct_table_def distances = {CT_TABLE_PARTS(page_distances, NULL)};
static const struct ct_table_child of_view[] = {
    [CELLS] = {"cells", &cells}, [DISTANCES] = {"distances", &distances}, {NULL, NULL}};

const struct ct_table_def ct_page_views_table = {CT_TABLE_PARTS(page_views, NULL),
						 .child = of_view};
