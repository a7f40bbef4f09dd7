/* SPDX-License-Identifier: Apache-2.0 */
/* Figures less those of self messages. */
#include "postproc/analysis/comm/figures/exchanged.h"
#include "postproc/analysis/comm/figures/facts.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more, so that there is always some. */
static void *copy(const void *from, size_t count, size_t bytes)
{
	void *to = calloc(count + 1, bytes);

	if (to && count)
		memcpy(to, from, count * bytes);
	return to;
}

/* Keys of less are keys of histogram. */
static void subtract(struct ct_comm_histogram *histogram, const struct ct_comm_histogram *less)
{
	size_t kept = 0, at = 0;

	for (size_t i = 0; i < histogram->count; i++) {
		struct ct_comm_count entry = histogram->entry[i];

		if (at < less->count && less->entry[at].key == entry.key)
			entry.count -= less->entry[at++].count;
		if (entry.count)
			histogram->entry[kept++] = entry;
	}
	histogram->count = kept;
}

static void take_from_volume(struct ct_comm_volume *v)
{
	v->communicated_load_bytes = v->others_load_bytes;
	v->communicated_store_bytes = v->others_store_bytes;
	v->transfers -= v->self_transfers;
	v->transferred_bytes -= v->self_bytes;
}

static void take_from_arrays(struct ct_comm_figures *f)
{
	for (size_t i = 0; i < f->supersteps; i++) {
		struct ct_comm_superstep *of = &f->of_superstep[i];

		of->communicated_load_bytes = of->others_load_bytes;
		of->communicated_store_bytes = of->others_store_bytes;
		of->received_bytes -= of->self_received_bytes;
		of->sent_bytes -= of->self_sent_bytes;
	}
	for (uint64_t i = 0; i < f->ctas; i++) {
		f->cta[i].received_bytes -= f->cta[i].self_bytes;
		f->cta[i].sent_bytes -= f->cta[i].self_bytes;
	}
	for (size_t i = 0; i < f->kernels; i++) {
		f->kernel[i].communicated_load_bytes = f->kernel[i].others_load_bytes;
		f->kernel[i].communicated_store_bytes = f->kernel[i].others_store_bytes;
	}
}

/* Self messages are in cells of the diagonal. */
static void take_from_density(struct ct_comm_density *density)
{
	size_t kept = 0;

	for (size_t i = 0; i < density->cells; i++) {
		struct ct_comm_cell cell = density->cell[i];

		if (cell.source == cell.target) {
			cell.transfers -= density->self[cell.source][0];
			cell.bytes -= density->self[cell.source][1];
		}
		if (cell.transfers)
			density->cell[kept++] = cell;
	}
	density->cells = kept;
}

static int compare_pair(const void *a, const void *b)
{
	const struct ct_comm_kernel_pair *x = a, *y = b;
	uint64_t x_bytes = x->bytes - x->self_bytes, y_bytes = y->bytes - y->self_bytes;

	if (x_bytes != y_bytes)
		return x_bytes > y_bytes ? -1 : 1;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return x->target < y->target ? -1 : x->target > y->target;
}

static void take_from_pairs(struct ct_comm_figures *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->kernel_pairs; i++)
		if (f->kernel_pair[i].transfers)
			f->kernel_pair[kept++] = f->kernel_pair[i];
	f->kernel_pairs = kept;
	qsort(f->kernel_pair, kept, sizeof(*f->kernel_pair), compare_pair);
}

static void take_from_lists(struct ct_comm_figures *f)
{
	size_t kept = 0;

	take_from_pairs(f);
	for (size_t i = 0; i < f->line_pairs; i++) {
		struct ct_comm_line_pair pair = f->line_pair[i];

		pair.bytes -= pair.self_bytes;
		pair.loaded_bytes -= pair.self_loaded_bytes;
		if (pair.loaded_bytes)
			f->line_pair[kept++] = pair;
	}
	f->line_pairs = kept;
	qsort(f->line_pair, kept, sizeof(*f->line_pair), ct_compare_lines);
	for (size_t i = 0; i < f->objects; i++) {
		struct ct_comm_object *object = &f->object[i];

		object->communicated_load_bytes = object->others_load_bytes;
		object->communicated_store_bytes = object->others_store_bytes;
		object->transferred_bytes -= object->self_bytes;
	}
	qsort(f->object, f->objects, sizeof(*f->object), ct_compare_objects);
}

static int own(struct ct_comm_figures *out, const struct ct_comm_figures *all)
{
	out->of_superstep = copy(all->of_superstep, all->supersteps, sizeof(*all->of_superstep));
	out->cta = copy(all->cta, all->ctas, sizeof(*all->cta));
	out->kernel = copy(all->kernel, all->kernels, sizeof(*all->kernel));
	out->transfer_size.entry = copy(all->transfer_size.entry, all->transfer_size.count,
					sizeof(*all->transfer_size.entry));
	out->distance.entry =
	    copy(all->distance.entry, all->distance.count, sizeof(*all->distance.entry));
	out->density.cell = copy(all->density.cell, all->density.cells, sizeof(*all->density.cell));
	out->kernel_pair = copy(all->kernel_pair, all->kernel_pairs, sizeof(*all->kernel_pair));
	out->line_pair = copy(all->line_pair, all->line_pairs, sizeof(*all->line_pair));
	out->object = copy(all->object, all->objects, sizeof(*all->object));
	return out->of_superstep && out->cta && out->kernel && out->transfer_size.entry &&
		       out->distance.entry && out->density.cell && out->kernel_pair &&
		       out->line_pair && out->object
		   ? 0
		   : -ENOMEM;
}

int ct_comm_exchanged_init(struct ct_comm_figures *out, const struct ct_comm_figures *all)
{
	int err;

	*out = *all;
	err = own(out, all);
	if (err < 0) {
		ct_comm_exchanged_fini(out);
		return err;
	}
	out->is_exchanged = true;
	take_from_volume(&out->volume);
	take_from_arrays(out);
	subtract(&out->transfer_size, &all->self_size);
	subtract(&out->distance, &all->self_distance);
	take_from_density(&out->density);
	take_from_lists(out);
	return 0;
}

void ct_comm_exchanged_fini(struct ct_comm_figures *figures)
{
	free(figures->of_superstep);
	free(figures->cta);
	free(figures->kernel);
	free(figures->transfer_size.entry);
	free(figures->distance.entry);
	free(figures->density.cell);
	free(figures->kernel_pair);
	free(figures->line_pair);
	free(figures->object);
	*figures = (struct ct_comm_figures){0};
}
