/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes, histograms and bisection of the report. */
#include "postproc/analysis/comm/base/spread.h"
#include "postproc/analysis/comm/figures/exchanged.h"
#include "postproc/render/report/parts.h"
#include <string.h>

#define CDF_POINTS 2000u

void ct_report_put_volume(const struct ct_report_writer *w)
{
	const struct ct_comm_volume *v = &w->report->figures->volume;

	ct_out_object(w->out, "volume");
	ct_out_integer(w->out, "load_bytes", v->load_bytes);
	ct_out_integer(w->out, "store_bytes", v->store_bytes);
	ct_out_integer(w->out, "communicated_bytes", v->communicated_store_bytes);
	ct_out_integer(w->out, "communicated_load_bytes", v->communicated_load_bytes);
	ct_out_integer(w->out, "communicated_store_bytes", v->communicated_store_bytes);
	ct_out_real(w->out, "fraction",
		    v->store_bytes ? (double)v->communicated_store_bytes / (double)v->store_bytes
				   : 0);
	ct_out_integer(w->out, "exchanged_store_bytes", v->exchanged_store_bytes);
	ct_out_real(w->out, "exchanged_fraction",
		    v->store_bytes ? (double)v->exchanged_store_bytes / (double)v->store_bytes : 0);
	ct_out_integer(w->out, "transfers", v->transfers);
	ct_out_integer(w->out, "transferred_bytes", v->transferred_bytes);
	ct_out_integer(w->out, "self_transfers", v->self_transfers);
	ct_out_integer(w->out, "self_bytes", v->self_bytes);
	ct_out_integer(w->out, "from_host_bytes", v->from_host_bytes);
	ct_out_integer(w->out, "to_host_bytes", v->to_host_bytes);
	ct_out_integer(w->out, "unwritten_bytes", v->unwritten_bytes);
	ct_out_integer(w->out, "unordered_bytes", v->unordered_bytes);
	ct_out_integer(w->out, "same_superstep_bytes", v->same_superstep_bytes);
	ct_out_integer(w->out, "forgotten_bytes", v->forgotten_bytes);
	ct_out_end(w->out);
}

static uint64_t total_of(const struct ct_comm_histogram *histogram)
{
	uint64_t total = 0;

	for (size_t i = 0; i < histogram->count; i++)
		total += histogram->entry[i].count;
	return total;
}

/* A point where the curve has risen enough since the last one, and both ends of every rise. */
static void put_cdf(struct ct_out *out, const char *key, const struct ct_comm_histogram *histogram)
{
	uint64_t total = total_of(histogram), sum = 0, put = 0;
	uint64_t least = histogram->count > CDF_POINTS ? total / (CDF_POINTS / 2) : 0;
	size_t points = 0;

	ct_out_object(out, key);
	ct_out_integer(out, "total", total);
	ct_out_integer(out, "distinct", histogram->count);
	ct_out_array(out, "points");
	for (size_t i = 0; i < histogram->count; i++) {
		uint64_t next = i + 1 < histogram->count ? histogram->entry[i + 1].count : total;

		sum += histogram->entry[i].count;
		if (least && sum - put < least && next < least && i && i + 1 < histogram->count)
			continue;
		put = sum;
		points++;
		ct_out_array(out, NULL);
		ct_out_integer(out, NULL, histogram->entry[i].key);
		ct_out_integer(out, NULL, sum);
		ct_out_end(out);
	}
	ct_out_end(out);
	ct_out_integer(out, "shown", points);
	ct_out_end(out);
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

/* [first key, last key, count], of 0 omitted. width 0: powers of two. */
static void put_bins(struct ct_out *out, const struct ct_comm_histogram *histogram, uint64_t width)
{
	ct_out_array(out, "bins");
	for (size_t i = 0; i < histogram->count;) {
		uint64_t first = bin_of(histogram->entry[i].key, width), count = 0;

		do
			count += histogram->entry[i++].count;
		while (i < histogram->count && bin_of(histogram->entry[i].key, width) == first);
		ct_out_array(out, NULL);
		ct_out_integer(out, NULL, first);
		ct_out_integer(out, NULL, end_of(first, width));
		ct_out_integer(out, NULL, count);
		ct_out_end(out);
	}
	ct_out_end(out);
}

static uint64_t greatest(const struct ct_comm_histogram *histogram)
{
	return histogram->count ? histogram->entry[histogram->count - 1].key : 0;
}

/* Of bins that both histograms fit into. */
static uint64_t common_width(const struct ct_comm_histogram *a, const struct ct_comm_histogram *b)
{
	uint64_t last = greatest(a) > greatest(b) ? greatest(a) : greatest(b);

	if (a->count <= CT_REPORT_BINS && b->count <= CT_REPORT_BINS)
		return 1;
	return last / CT_REPORT_BINS + 1;
}

static void put_spread(struct ct_out *out, const char *key,
		       const struct ct_comm_histogram *histogram)
{
	struct ct_comm_spread spread = ct_comm_spread_of(histogram);

	ct_out_object(out, key);
	ct_out_integer(out, "count", spread.count);
	ct_out_integer(out, "p5", spread.p5);
	ct_out_integer(out, "p25", spread.p25);
	ct_out_integer(out, "median", spread.median);
	ct_out_integer(out, "p75", spread.p75);
	ct_out_integer(out, "p95", spread.p95);
	ct_out_integer(out, "max", spread.most);
	ct_out_real(out, "mean", spread.mean);
	ct_out_end(out);
}

/* width: as of put_bins */
static void put_histogram(struct ct_out *out, const char *key,
			  const struct ct_comm_histogram *histogram, uint64_t width)
{
	ct_out_object(out, key);
	ct_out_integer(out, "total", total_of(histogram));
	ct_out_integer(out, "distinct", histogram->count);
	ct_out_integer(out, "width", width);
	put_bins(out, histogram, width);
	ct_out_end(out);
}

static uint64_t powers_if_many(const struct ct_comm_histogram *histogram)
{
	return histogram->count <= CT_REPORT_BINS;
}

void ct_report_put_histograms(const struct ct_report_writer *w)
{
	const struct ct_comm_figures *f = w->report->figures;
	uint64_t width = common_width(&f->in_degree, &f->out_degree);

	put_cdf(w->out, "transfer_size_cdf", &f->transfer_size);
	put_histogram(w->out, "in_degree", &f->in_degree, width);
	put_histogram(w->out, "out_degree", &f->out_degree, width);
	put_histogram(w->out, "superstep_distance", &f->distance, powers_if_many(&f->distance));
	put_histogram(w->out, "load_stride", &f->load_stride, powers_if_many(&f->load_stride));
	put_histogram(w->out, "store_stride", &f->store_stride, powers_if_many(&f->store_stride));
	put_spread(w->out, "load_stride_spread", &f->load_stride);
	put_spread(w->out, "store_stride_spread", &f->store_stride);
}

int ct_report_put_exchanged(const struct ct_report_writer *w)
{
	struct ct_comm_figures exchanged;
	struct ct_report report = *w->report;
	struct ct_report_writer writer = *w;
	int err = ct_comm_exchanged_init(&exchanged, w->report->figures);

	if (err < 0)
		return err;
	report.figures = &exchanged;
	writer.report = &report;
	ct_out_object(w->out, "exchanged");
	ct_report_put_volume(&writer);
	put_cdf(w->out, "transfer_size_cdf", &exchanged.transfer_size);
	put_histogram(w->out, "superstep_distance", &exchanged.distance,
		      powers_if_many(&exchanged.distance));
	ct_out_array(w->out, "kernels");
	for (size_t i = 0; i < exchanged.kernels; i++) {
		ct_out_object(w->out, NULL);
		ct_out_integer(w->out, "communicated_load_bytes",
			       exchanged.kernel[i].communicated_load_bytes);
		ct_out_integer(w->out, "communicated_store_bytes",
			       exchanged.kernel[i].communicated_store_bytes);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
	ct_out_end(w->out);
	ct_comm_exchanged_fini(&exchanged);
	return 0;
}

void ct_report_put_bisection(const struct ct_report_writer *w)
{
	static const char *const name[] = {"x", "y", "z"};

	ct_out_object(w->out, "bisection");
	for (int d = 0; d < 3; d++) {
		ct_out_object(w->out, name[d]);
		ct_out_integer(w->out, "bytes", w->report->figures->bisection[d].bytes);
		ct_out_real(w->out, "relative", w->report->figures->bisection[d].relative);
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}
