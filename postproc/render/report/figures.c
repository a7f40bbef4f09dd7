/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of the page, shortened to bins. */
#include "postproc/render/report/parts.h"
#include "postproc/tables/mean.h"

#define CURVE_POINTS 2000u

/* Keys are shown as a curve of those up to each, or bins. */
enum shape { CURVE, BINS, DEGREES };

struct row_page_histograms {
	const char *name;
	const struct ct_comm_histogram *of;
	enum shape shape;
	uint64_t total, width;
};

struct row_page_bins {
	const char *name;
	uint64_t first, last, count, total;
};

#define CT_DESCRIBED "postproc/render/report/figures.def"
#include "postproc/tables/described.h"

static uint64_t greatest(const struct ct_comm_histogram *histogram)
{
	return histogram->count ? histogram->entry[histogram->count - 1].key : 0;
}

/* Returns the width of bins that both degrees fit into. */
static uint64_t common_width(const struct ct_comm_histogram *a, const struct ct_comm_histogram *b)
{
	uint64_t last = greatest(a) > greatest(b) ? greatest(a) : greatest(b);

	if (a->count <= CT_REPORT_BINS && b->count <= CT_REPORT_BINS)
		return 1;
	return last / CT_REPORT_BINS + 1;
}

static void finish(struct row_page_histograms *row, const struct ct_comm_figures *f)
{
	row->width = row->of->count <= CT_REPORT_BINS;
	if (row->shape == CURVE)
		row->width = 1;
	if (row->shape == DEGREES)
		row->width = common_width(&f->in_degree, &f->out_degree);
	for (size_t i = 0; i < row->of->count; i++)
		row->total += row->of->entry[i].count;
}

static int each_histogram(const struct ct_report_writer *w, struct ct_table_sink *sink,
			  int (*put)(struct ct_table_sink *sink,
				     const struct row_page_histograms *row))
{
	const struct ct_comm_figures *f = w->figures, *exchanged = w->exchanged;
	const struct row_page_histograms all[] = {
	    {"transfer_sizes", &f->transfer_size, CURVE, 0, 0},
	    {"in_degrees", &f->in_degree, DEGREES, 0, 0},
	    {"out_degrees", &f->out_degree, DEGREES, 0, 0},
	    {"distances", &f->distance, BINS, 0, 0},
	    {"load_strides", &f->load_stride, BINS, 0, 0},
	    {"store_strides", &f->store_stride, BINS, 0, 0},
	    {"exchanged_transfer_sizes", &exchanged->transfer_size, CURVE, 0, 0},
	    {"exchanged_distances", &exchanged->distance, BINS, 0, 0},
	};
	int err = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all) && err == 0; i++) {
		struct row_page_histograms row = all[i];

		finish(&row, f);
		err = put(sink, &row);
	}
	return err;
}

static int put_histogram(struct ct_table_sink *sink, const struct row_page_histograms *row)
{
	return ct_table_put_row(sink, row);
}

static int rows_page_histograms(const void *from, struct ct_table_sink *sink)
{
	return each_histogram(from, sink, put_histogram);
}

/* A point where the curve has risen enough since the last one, and both ends of every rise. */
static int put_curve(struct ct_table_sink *sink, const struct row_page_histograms *row)
{
	const struct ct_comm_histogram *of = row->of;
	uint64_t least = of->count > CURVE_POINTS ? row->total / (CURVE_POINTS / 2) : 0;
	uint64_t sum = 0, put = 0;
	int err = 0;

	for (size_t i = 0; i < of->count && err == 0; i++) {
		uint64_t next = i + 1 < of->count ? of->entry[i + 1].count : row->total;

		sum += of->entry[i].count;
		if (least && sum - put < least && next < least && i && i + 1 < of->count)
			continue;
		put = sum;
		err = ct_table_put_row(sink,
				       &(struct row_page_bins){row->name, of->entry[i].key,
							       of->entry[i].key, sum, row->total});
	}
	return err;
}

/* First key of the bin that holds key: a power of two, or a multiple of width. */
static uint64_t bin_of(uint64_t key, uint64_t width)
{
	if (width)
		return key - key % width;
	return key < 2 ? key : 1ull << (63 - __builtin_clzll(key));
}

static uint64_t end_of(uint64_t first, uint64_t width)
{
	if (width)
		return first + width - 1;
	return first < 2 ? first : first - 1 + first;
}

static int put_bins(struct ct_table_sink *sink, const struct row_page_histograms *row)
{
	const struct ct_comm_histogram *of = row->of;
	int err = 0;

	if (row->shape == CURVE)
		return put_curve(sink, row);
	for (size_t i = 0; i < of->count && err == 0;) {
		uint64_t first = bin_of(of->entry[i].key, row->width), count = 0;

		do
			count += of->entry[i++].count;
		while (i < of->count && bin_of(of->entry[i].key, row->width) == first);
		err = ct_table_put_row(sink, &(struct row_page_bins){row->name, first,
								     end_of(first, row->width),
								     count, row->total});
	}
	return err;
}

static int rows_page_bins(const void *from, struct ct_table_sink *sink)
{
	return each_histogram(from, sink, put_bins);
}

const struct ct_table_def ct_page_histograms_table = {CT_TABLE_PARTS(page_histograms, NULL)};
const struct ct_table_def ct_page_bins_table = {CT_TABLE_PARTS(page_bins, NULL)};
