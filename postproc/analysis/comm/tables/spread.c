/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of how communication is spread over sizes, distances and CTAs. */
#include "postproc/analysis/comm/base/spread.h"
#include "postproc/analysis/comm/tables/tables.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

/* The row of all histograms. */
struct row_histogram {
	const struct ct_comm_count *entry;
	const char *label;
	uint64_t so_far, total;
};
#define row_transfer_sizes row_histogram
#define row_distances row_histogram
#define row_strides row_histogram
#define row_degrees row_histogram

struct row_stride_spreads {
	const char *label;
	struct ct_comm_spread spread;
};

struct row_bisection {
	const struct ct_comm_bisection *bisection;
	const char *dimension;
};

struct row_density {
	const struct ct_comm_cell *cell;
	uint64_t source, target, per_bin;
};

#define CT_DESCRIBED "postproc/analysis/comm/tables/spread.def"
#include "postproc/tables/described.h"

static int put_histogram(struct ct_table_sink *sink, const struct ct_comm_histogram *histogram,
			 const char *label)
{
	struct row_histogram row = {.label = label};
	int err = 0;

	for (size_t i = 0; i < histogram->count; i++)
		row.total += histogram->entry[i].count;
	for (size_t i = 0; i < histogram->count && err == 0; i++) {
		row.entry = &histogram->entry[i];
		row.so_far += row.entry->count;
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_transfer_sizes(const void *from, struct ct_table_sink *sink)
{
	return put_histogram(sink, &((const struct ct_comm_shown *)from)->figures->transfer_size,
			     NULL);
}

static int rows_distances(const void *from, struct ct_table_sink *sink)
{
	return put_histogram(sink, &((const struct ct_comm_shown *)from)->figures->distance, NULL);
}

static int rows_strides(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_figures *figures = ((const struct ct_comm_shown *)from)->figures;
	int err = put_histogram(sink, &figures->load_stride, "load");

	return err < 0 ? err : put_histogram(sink, &figures->store_stride, "store");
}

static int put_spread(struct ct_table_sink *sink, const struct ct_comm_histogram *histogram,
		      const char *label)
{
	const struct row_stride_spreads row = {label, ct_comm_spread_of(histogram)};

	return row.spread.count ? ct_table_put_row(sink, &row) : 0;
}

static int rows_stride_spreads(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_figures *figures = ((const struct ct_comm_shown *)from)->figures;
	int err = put_spread(sink, &figures->load_stride, "load");

	return err < 0 ? err : put_spread(sink, &figures->store_stride, "store");
}

static int rows_degrees(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_figures *figures = ((const struct ct_comm_shown *)from)->figures;
	int err = put_histogram(sink, &figures->in_degree, "in");

	return err < 0 ? err : put_histogram(sink, &figures->out_degree, "out");
}

static int rows_bisection(const void *from, struct ct_table_sink *sink)
{
	static const char *const dimension[] = {"x", "y", "z"};
	const struct ct_comm_figures *figures = ((const struct ct_comm_shown *)from)->figures;
	int err = 0;

	for (size_t i = 0; i < 3 && err == 0; i++)
		err = ct_table_put_row(
		    sink, &(struct row_bisection){&figures->bisection[i], dimension[i]});
	return err;
}

static int rows_density(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comm_density *density =
	    &((const struct ct_comm_shown *)from)->figures->density;
	int err = 0;

	for (size_t i = 0; i < density->cells && err == 0; i++) {
		const struct ct_comm_cell *cell = &density->cell[i];
		const struct row_density row = {
		    cell,
		    density->first_cta + cell->source * density->ctas_per_bin,
		    density->first_cta + cell->target * density->ctas_per_bin,
		    density->ctas_per_bin,
		};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

#define TABLE(name, links)                                                                         \
	const struct ct_table_def ct_##name##_table = {CT_TABLE_PARTS(name, links)}

TABLE(transfer_sizes, NULL);
TABLE(distances, NULL);
TABLE(strides, NULL);
TABLE(stride_spreads, NULL);
TABLE(degrees, NULL);
TABLE(bisection, NULL);
TABLE(density, NULL);
