/* SPDX-License-Identifier: Apache-2.0 */
/* The report's density and distance of some launches, or of a pair of kernels. */
#include "postproc/render/report/parts.h"
#include <errno.h>
#include <stdlib.h>

static int heavier(const void *a, const void *b)
{
	const struct ct_comm_view *x = *(const struct ct_comm_view *const *)a;
	const struct ct_comm_view *y = *(const struct ct_comm_view *const *)b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return (x > y) - (x < y);
}

static void put_distances(struct ct_out *out, const struct ct_comm_view *view)
{
	ct_out_array(out, "distance");
	for (unsigned d = 0; d < CT_COMM_VIEW_DISTANCES; d++) {
		if (!view->distance[d])
			continue;
		ct_out_array(out, NULL);
		ct_out_integer(out, NULL, d ? 1ull << (d - 1) : 0);
		ct_out_integer(out, NULL, d ? (1ull << (d - 1)) * 2 - 1 : 0);
		ct_out_integer(out, NULL, view->distance[d]);
		ct_out_end(out);
	}
	ct_out_end(out);
}

static void put_content(struct ct_out *out, const struct ct_comm_view *view)
{
	ct_out_integer(out, "total_bytes", view->bytes);
	put_distances(out, view);
	ct_report_put_cells(out, view->cell, view->cells);
}

static void put_launches(const struct ct_report_writer *w)
{
	const struct ct_comm_figures *f = w->report->figures;

	ct_out_array(w->out, "launches");
	for (size_t i = 0; i < f->views.slots; i++) {
		const struct ct_comm_view *view = &f->views.view[i];

		if (!view->bytes)
			continue;
		ct_out_object(w->out, NULL);
		ct_out_integer(w->out, "count", view->launches);
		ct_out_integer(w->out, "first", f->superstep[view->first].launch->event->launch);
		ct_out_integer(w->out, "last", f->superstep[view->last].launch->event->launch);
		ct_out_integer(w->out, "part", f->superstep[view->first].part);
		ct_out_integer(w->out, "kernel", w->report->kernel_of[view->first]);
		put_content(w->out, view);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}

/* The heaviest; count is how many have transfers. */
static int put_pairs(const struct ct_report_writer *w)
{
	const struct ct_comm_views *views = &w->report->figures->views;
	const struct ct_comm_view **pair = calloc(views->count + 1, sizeof(*pair));
	size_t count = 0;

	if (!pair)
		return -ENOMEM;
	for (size_t i = views->slots; i < views->count; i++)
		if (views->view[i].bytes)
			pair[count++] = &views->view[i];
	qsort(pair, count, sizeof(*pair), heavier);
	ct_out_array(w->out, "pairs");
	for (size_t i = 0; i < count && i < CT_REPORT_PAIR_VIEWS; i++) {
		ct_out_object(w->out, NULL);
		ct_out_integer(w->out, "from", pair[i]->first);
		ct_out_integer(w->out, "to", pair[i]->last);
		put_content(w->out, pair[i]);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
	free(pair);
	return 0;
}

int ct_report_put_views(const struct ct_report_writer *w)
{
	const struct ct_comm_figures *f = w->report->figures;
	int err;

	ct_out_object(w->out, "views");
	ct_out_integer(w->out, "ctas_per_bin", f->views.ctas_per_bin);
	ct_out_integer(w->out, "bins", f->views.bins);
	put_launches(w);
	err = put_pairs(w);
	ct_out_end(w->out);
	return err;
}
