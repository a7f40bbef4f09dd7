/* SPDX-License-Identifier: Apache-2.0 */
/* The figures that are compared, and what each takes from an analysis. */
#include "base/array.h"
#include "postproc/render/compare/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CURVE_POINTS 512u

const struct ct_compare_figure ct_compare_figure[CT_COMPARE_FIGURES] = {
    [CT_COMPARE_VOLUME] =
	{"volume",
	 "Data volume",
	 "Bytes that all threads load and store, and what of it takes part in communication.",
	 CT_COMPARE_BARS,
	 CT_COMPARE_COUNT,
	 CT_COMPARE_BYTES,
	 {"load", "store", "communicated load", "communicated store"}},
    [CT_COMPARE_FRACTION] =
	{"fraction",
	 "Communicated share of the stores",
	 "Communicated: a thread block of a later launch reads it. Exchanged: without what a "
	 "thread block reads that alone wrote it.",
	 CT_COMPARE_BARS,
	 CT_COMPARE_COUNT,
	 CT_COMPARE_SHARE,
	 {"communicated", "exchanged"}},
    [CT_COMPARE_TRANSFER_SIZE] =
	{"transfer-size",
	 "Size of transfers",
	 "Share of the transfers between two thread blocks that are at most so "
	 "large.",
	 CT_COMPARE_CURVE,
	 CT_COMPARE_BYTES,
	 CT_COMPARE_SHARE,
	 {"transfers"}},
    [CT_COMPARE_DEGREE] = {"degree",
			   "Communication partners",
			   "Share of the thread blocks that so many send to (in), that send to so "
			   "many (out).",
			   CT_COMPARE_BINS,
			   CT_COMPARE_COUNT,
			   CT_COMPARE_SHARE,
			   {"in", "out"}},
    [CT_COMPARE_BISECTION] = {"bisection",
			      "Bisection volume",
			      "Bytes across a cut through the middle of the grid, by dimension.",
			      CT_COMPARE_BARS,
			      CT_COMPARE_COUNT,
			      CT_COMPARE_BYTES,
			      {"x", "y", "z"}},
    [CT_COMPARE_BISECTION_SHARE] = {"bisection-share",
				    "Bisection volume, relative",
				    "The same as a share of the bytes of these transfers.",
				    CT_COMPARE_BARS,
				    CT_COMPARE_COUNT,
				    CT_COMPARE_SHARE,
				    {"x", "y", "z"}},
    [CT_COMPARE_STRIDE] = {"stride",
			   "Strides of communicated data",
			   "Share of the distances between neighbouring communicated elements of a "
			   "thread block that are at most so large.",
			   CT_COMPARE_CURVE,
			   CT_COMPARE_BYTES,
			   CT_COMPARE_SHARE,
			   {"load", "store"}},
    [CT_COMPARE_DENSITY] =
	{"density",
	 "Transfers between thread blocks",
	 "Writers to the right, readers downward, the first 200 of each; darker: "
	 "more transfers.",
	 CT_COMPARE_MAP,
	 CT_COMPARE_COUNT,
	 CT_COMPARE_COUNT,
	 {"transfers"}},
    [CT_COMPARE_SUPERSTEP_VOLUME] = {"superstep-volume",
				     "Communicated volume over time",
				     "Bytes of communication that are loaded and stored in each "
				     "superstep.",
				     CT_COMPARE_LINE,
				     CT_COMPARE_COUNT,
				     CT_COMPARE_BYTES,
				     {"load", "store"}},
    [CT_COMPARE_DISTANCE] = {"distance",
			     "Superstep distance",
			     "Share of the transferred bytes that are read so many supersteps "
			     "after they were written; 0: in the next one.",
			     CT_COMPARE_BINS,
			     CT_COMPARE_COUNT,
			     CT_COMPARE_SHARE,
			     {"bytes"}},
    [CT_COMPARE_OUT_DEGREE] =
	{"out-degree",
	 "Communication partners over time",
	 "Thread blocks that one sends to in each superstep: their mean, and the "
	 "standard deviation.",
	 CT_COMPARE_LINE,
	 CT_COMPARE_COUNT,
	 CT_COMPARE_COUNT,
	 {"mean", "deviation"}},
};

struct taking {
	struct ct_compare_trace *trace;
	int err;
};

static struct ct_compare_point *take(struct taking *taking, enum ct_compare_name name,
				     unsigned series, size_t count)
{
	struct ct_compare_series *into = &taking->trace->series[name][series];

	into->point = calloc(count + 1, sizeof(*into->point));
	if (!into->point)
		taking->err = -ENOMEM;
	else
		into->count = count;
	return into->point;
}

static void take_one(struct taking *taking, enum ct_compare_name name, unsigned series,
		     double value)
{
	struct ct_compare_point *point = take(taking, name, series, 1);

	if (point)
		point->value = value;
}

static double share_of(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void take_volume(struct taking *taking, const struct ct_comm_volume *v)
{
	take_one(taking, CT_COMPARE_VOLUME, 0, (double)v->load_bytes);
	take_one(taking, CT_COMPARE_VOLUME, 1, (double)v->store_bytes);
	take_one(taking, CT_COMPARE_VOLUME, 2, (double)v->communicated_load_bytes);
	take_one(taking, CT_COMPARE_VOLUME, 3, (double)v->communicated_store_bytes);
	take_one(taking, CT_COMPARE_FRACTION, 0,
		 share_of(v->communicated_store_bytes, v->store_bytes));
	take_one(taking, CT_COMPARE_FRACTION, 1,
		 share_of(v->exchanged_store_bytes, v->store_bytes));
}

static uint64_t total_of(const struct ct_comm_histogram *histogram)
{
	uint64_t total = 0;

	for (size_t i = 0; i < histogram->count; i++)
		total += histogram->entry[i].count;
	return total;
}

/* All keys, or of many those where the curve has risen by 1 in CURVE_POINTS, and the last. */
static void take_curve(struct taking *taking, enum ct_compare_name name, unsigned series,
		       const struct ct_comm_histogram *histogram)
{
	bool all = histogram->count <= CURVE_POINTS;
	struct ct_compare_point *point =
	    take(taking, name, series, all ? histogram->count : CURVE_POINTS + 1);
	uint64_t total = total_of(histogram), sum = 0;
	size_t count = 0;

	for (size_t i = 0; point && i < histogram->count; i++) {
		double share;

		sum += histogram->entry[i].count;
		share = (double)sum / (double)total;
		if (!all && i + 1 < histogram->count && share * CURVE_POINTS < (double)(count + 1))
			continue;
		point[count++] =
		    (struct ct_compare_point){.x = histogram->entry[i].key, .value = share};
	}
	taking->trace->series[name][series].count = count;
}

/* 0, 1, 2, 3-4, 5-8, ...: the last key of the bin that holds key */
static uint64_t last_of_bin(uint64_t key)
{
	return key < 2 ? key : 1ull << (64 - __builtin_clzll(key - 1));
}

static void take_bins(struct taking *taking, enum ct_compare_name name, unsigned series,
		      const struct ct_comm_histogram *histogram)
{
	struct ct_compare_point *point = take(taking, name, series, 66);
	uint64_t total = total_of(histogram);
	size_t count = 0;

	for (size_t i = 0; point && i < histogram->count; i++) {
		uint64_t last = last_of_bin(histogram->entry[i].key);

		if (!count || point[count - 1].y != last)
			point[count++] = (struct ct_compare_point){
			    .x = last < 3 ? last : last / 2 + 1, .y = last};
		point[count - 1].value += (double)histogram->entry[i].count / (double)total;
	}
	taking->trace->series[name][series].count = count;
}

static void take_density(struct taking *taking, const struct ct_comm_density *density)
{
	struct ct_compare_point *point = take(taking, CT_COMPARE_DENSITY, 0, density->cells);

	for (size_t i = 0; point && i < density->cells; i++)
		point[i] = (struct ct_compare_point){
		    .x = density->first_cta + density->cell[i].source * density->ctas_per_bin,
		    .y = density->first_cta + density->cell[i].target * density->ctas_per_bin,
		    .value = (double)density->cell[i].transfers};
}

/* Takes supersteps of the launches that the filter passes; 0 is the first superstep. */
static void take_supersteps(struct taking *taking, const struct ct_comm_figures *f)
{
	struct ct_compare_trace *trace = taking->trace;
	struct ct_compare_point *load = take(taking, CT_COMPARE_SUPERSTEP_VOLUME, 0, f->supersteps);
	struct ct_compare_point *store =
	    take(taking, CT_COMPARE_SUPERSTEP_VOLUME, 1, f->supersteps);
	struct ct_compare_point *mean = take(taking, CT_COMPARE_OUT_DEGREE, 0, f->supersteps);
	struct ct_compare_point *deviation = take(taking, CT_COMPARE_OUT_DEGREE, 1, f->supersteps);
	size_t count = 0;

	if (!load || !store || !mean || !deviation)
		return;
	for (size_t s = 0; s < f->supersteps; s++) {
		const struct ct_comm_superstep *of = &f->of_superstep[s];

		if (!f->superstep[s].launch || !of->passes)
			continue;
		load[count].value = (double)of->communicated_load_bytes;
		store[count].value = (double)of->communicated_store_bytes;
		mean[count].value = of->out_degree_mean;
		deviation[count].value = of->out_degree_sd;
		load[count].x = store[count].x = mean[count].x = deviation[count].x = s;
		count++;
	}
	for (unsigned i = 0; i < 2; i++) {
		trace->series[CT_COMPARE_SUPERSTEP_VOLUME][i].count = count;
		trace->series[CT_COMPARE_OUT_DEGREE][i].count = count;
	}
	trace->supersteps = count;
}

static void take_all(struct taking *taking, const struct ct_comm_figures *f)
{
	take_volume(taking, &f->volume);
	take_curve(taking, CT_COMPARE_TRANSFER_SIZE, 0, &f->transfer_size);
	take_bins(taking, CT_COMPARE_DEGREE, 0, &f->in_degree);
	take_bins(taking, CT_COMPARE_DEGREE, 1, &f->out_degree);
	for (unsigned i = 0; i < 3; i++) {
		take_one(taking, CT_COMPARE_BISECTION, i, (double)f->bisection[i].bytes);
		take_one(taking, CT_COMPARE_BISECTION_SHARE, i, f->bisection[i].relative);
	}
	take_curve(taking, CT_COMPARE_STRIDE, 0, &f->load_stride);
	take_curve(taking, CT_COMPARE_STRIDE, 1, &f->store_stride);
	take_density(taking, &f->density);
	take_supersteps(taking, f);
	take_bins(taking, CT_COMPARE_DISTANCE, 0, &f->distance);
}

static void free_trace(struct ct_compare_trace *trace)
{
	for (unsigned f = 0; f < CT_COMPARE_FIGURES; f++)
		for (unsigned s = 0; s < CT_COMPARE_SERIES; s++)
			free(trace->series[f][s].point);
	free(trace->label);
	free(trace->directory);
}

/* label, or "label (directory)" if there is one of that name already. */
static char *unique_label(const struct ct_compare *compare, const char *label,
			  const char *directory)
{
	char *unique;

	for (size_t i = 0; i < compare->count; i++)
		if (strcmp(compare->trace[i].label, label) == 0)
			return asprintf(&unique, "%s (%s)", label, directory) < 0 ? NULL : unique;
	return strdup(label);
}

int ct_compare_add(struct ct_compare *compare, const char *label, const char *directory,
		   const struct ct_comm_figures *figures)
{
	struct ct_compare_trace trace = {
	    .label = unique_label(compare, label, directory),
	    .directory = strdup(directory),
	    .ctas = figures->ctas,
	    .launches = figures->launches,
	    .traced_launches = figures->traced_launches,
	    .lost_chunks = figures->lost_chunks + figures->damaged_chunks,
	};
	struct taking taking = {.trace = &trace};

	taking.err = ct_array_grow(&compare->trace, compare->count, sizeof(*compare->trace));
	if (!trace.label || !trace.directory)
		taking.err = -ENOMEM;
	if (taking.err == 0)
		take_all(&taking, figures);
	if (taking.err < 0)
		free_trace(&trace);
	else
		compare->trace[compare->count++] = trace;
	return taking.err;
}

void ct_compare_fini(struct ct_compare *compare)
{
	for (size_t i = 0; i < compare->count; i++)
		free_trace(&compare->trace[i]);
	free(compare->trace);
	*compare = (struct ct_compare){0};
}

uint64_t ct_compare_quantile(const struct ct_compare_series *curve, double share)
{
	for (size_t i = 0; i < curve->count; i++)
		if (curve->point[i].value >= share)
			return curve->point[i].x;
	return curve->count ? curve->point[curve->count - 1].x : 0;
}
