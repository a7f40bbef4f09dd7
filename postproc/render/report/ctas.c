/* SPDX-License-Identifier: Apache-2.0 */
/* The report's density map and its figures by CTA. */
#include "postproc/render/report/parts.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

void ct_report_put_cells(struct ct_out *out, const struct ct_comm_cell *cell, size_t count)
{
	/* Per field: half the size of an object per cell. */
	ct_out_array(out, "source");
	for (size_t i = 0; i < count; i++)
		ct_out_integer(out, NULL, cell[i].source);
	ct_out_end(out);
	ct_out_array(out, "target");
	for (size_t i = 0; i < count; i++)
		ct_out_integer(out, NULL, cell[i].target);
	ct_out_end(out);
	ct_out_array(out, "transfers");
	for (size_t i = 0; i < count; i++)
		ct_out_integer(out, NULL, cell[i].transfers);
	ct_out_end(out);
	ct_out_array(out, "bytes");
	for (size_t i = 0; i < count; i++)
		ct_out_integer(out, NULL, cell[i].bytes);
	ct_out_end(out);
}

int ct_report_put_density(const struct ct_report_writer *w)
{
	const struct ct_comm_density *density = &w->report->figures->density;
	struct ct_comm_cell *cell = malloc((density->cells + 1) * sizeof(*cell));
	uint64_t per_bin = density->ctas_per_bin;
	size_t cells = density->cells;
	uint32_t bins = density->bins;

	if (!cell)
		return -ENOMEM;
	if (cells)
		memcpy(cell, density->cell, cells * sizeof(*cell));
	while (cells > CT_REPORT_CELLS && bins > 1) {
		cells = merge(cell, cells);
		bins = (bins + 1) / 2;
		per_bin *= 2;
	}
	ct_out_object(w->out, "density");
	ct_out_integer(w->out, "first_cta", density->first_cta);
	ct_out_integer(w->out, "last_cta", density->last_cta);
	ct_out_integer(w->out, "ctas_per_bin", per_bin);
	ct_out_integer(w->out, "bins", bins);
	ct_report_put_cells(w->out, cell, cells);
	ct_out_end(w->out);
	free(cell);
	return 0;
}

enum { IN_DEGREE, OUT_DEGREE, RECEIVED, SENT, LOAD_MEAN, LOAD_MAX, STORE_MEAN, STORE_MAX, FIELDS };

static const char *const field_names[FIELDS] = {
    "in_degree",        "out_degree",      "received_bytes",    "sent_bytes",
    "load_stride_mean", "load_stride_max", "store_stride_mean", "store_stride_max",
};

static double mean(uint64_t sum, uint64_t count)
{
	return count ? (double)sum / (double)count : 0;
}

static double field_of(const struct ct_comm_cta_figures *cta, int field)
{
	switch (field) {
	case IN_DEGREE:
		return (double)cta->in_degree;
	case OUT_DEGREE:
		return (double)cta->out_degree;
	case RECEIVED:
		return (double)cta->received_bytes;
	case SENT:
		return (double)cta->sent_bytes;
	case LOAD_MEAN:
		return mean(cta->load_stride_sum, cta->load_strides);
	case LOAD_MAX:
		return (double)cta->load_stride_max;
	case STORE_MEAN:
		return mean(cta->store_stride_sum, cta->store_strides);
	default:
		return (double)cta->store_stride_max;
	}
}

/* CTAs without strides have no mean, rather than one of 0. */
static int has_field(const struct ct_comm_cta_figures *cta, int field)
{
	if (field == LOAD_MEAN || field == LOAD_MAX)
		return cta->load_strides != 0;
	if (field == STORE_MEAN || field == STORE_MAX)
		return cta->store_strides != 0;
	return 1;
}

/* Per field and point: [mean, least, greatest], or the value where a point is one CTA. */
static void put_field(const struct ct_report_writer *w, int field, uint64_t per)
{
	const struct ct_comm_figures *f = w->report->figures;

	ct_out_array(w->out, field_names[field]);
	for (uint64_t first = 0; first < f->ctas; first += per) {
		struct ct_report_point point = {.count = 0};

		for (uint64_t c = first; c < first + per && c < f->ctas; c++)
			if (has_field(&f->cta[c], field))
				ct_report_point_add(&point, field_of(&f->cta[c], field));
		if (!point.count) {
			ct_out_json(w->out, NULL, json_null());
		} else if (per == 1) {
			ct_out_real(w->out, NULL, point.sum);
		} else {
			ct_out_array(w->out, NULL);
			ct_out_real(w->out, NULL, point.sum / (double)point.count);
			ct_out_real(w->out, NULL, point.min);
			ct_out_real(w->out, NULL, point.max);
			ct_out_end(w->out);
		}
	}
	ct_out_end(w->out);
}

static uint64_t weight(const void *user, size_t i)
{
	const struct ct_comm_figures *f = user;

	return f->cta[i].received_bytes + f->cta[i].sent_bytes;
}

static int put_rows(const struct ct_report_writer *w)
{
	const struct ct_comm_figures *f = w->report->figures;
	size_t chosen, *row = ct_report_heaviest(f->ctas, weight, f, &chosen);

	if (!row)
		return -ENOMEM;
	/* [CTA, then a value per field] */
	ct_out_array(w->out, "rows");
	for (size_t i = 0; i < chosen; i++) {
		const struct ct_comm_cta_figures *cta = &f->cta[row[i]];

		ct_out_array(w->out, NULL);
		ct_out_integer(w->out, NULL, row[i]);
		for (int field = 0; field < FIELDS; field++)
			if (has_field(cta, field))
				ct_out_real(w->out, NULL, field_of(cta, field));
			else
				ct_out_json(w->out, NULL, json_null());
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
	free(row);
	return 0;
}

int ct_report_put_ctas(const struct ct_report_writer *w)
{
	uint64_t count = w->report->figures->ctas, per = ct_report_per_point(count);
	int err;

	ct_out_object(w->out, "ctas");
	ct_out_integer(w->out, "count", count);
	ct_out_integer(w->out, "stride_step", w->report->figures->stride_step);
	ct_out_integer(w->out, "per_point", per);
	ct_out_object(w->out, "points");
	for (int field = 0; field < FIELDS; field++)
		put_field(w, field, per);
	ct_out_end(w->out);
	err = put_rows(w);
	ct_out_end(w->out);
	return err;
}
