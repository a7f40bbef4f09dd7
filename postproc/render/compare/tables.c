/* SPDX-License-Identifier: Apache-2.0 */
/* Several traces side by side as tables: a row for each trace, or for each of its series. */
#include "postproc/render/compare/tables.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/sink.h"

#include <math.h>

#define QUANTILES 4u
#define BINS 15u /* 0, 1, 2, 3-4, 5-8, ...; the last has all beyond it */

#define row_compared_traces ct_compare_trace
#define row_compared_bisection ct_compare_trace

struct quantiles {
	const char *trace, *series;
	uint64_t quantile[QUANTILES];
};
#define row_compared_sizes quantiles
#define row_compared_strides quantiles

struct bins {
	const char *trace, *series;
	double bin[BINS];
};
#define row_compared_partners bins
#define row_compared_distances bins

struct spread {
	const char *trace, *series;
	double least, mean, most;
};
#define row_compared_step_volumes spread
#define row_compared_step_partners spread

struct row_compared_points {
	uint64_t number;
	const struct ct_compare_figure *figure;
	const char *trace, *series;
	const struct ct_compare_point *point;
};

static double value_of(const struct ct_compare_trace *trace, enum ct_compare_name name,
		       unsigned series)
{
	const struct ct_compare_series *of = &trace->series[name][series];

	return of->count ? of->point[0].value : 0;
}

static uint64_t bytes_of(const struct ct_compare_trace *trace, enum ct_compare_name name,
			 unsigned series)
{
	return (uint64_t)value_of(trace, name, series);
}

static bool has_y(const struct ct_compare_figure *figure)
{
	return figure->kind == CT_COMPARE_BINS || figure->kind == CT_COMPARE_MAP;
}

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/render/compare/tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/render/compare/tables.def"

static int put_traces(const struct ct_compare *compare, struct ct_table_sink *sink)
{
	int err = 0;

	for (size_t t = 0; t < compare->count && err == 0; t++)
		err = ct_table_put_row(sink, &compare->trace[t]);
	return err;
}

static int rows_compared_traces(const void *from, struct ct_table_sink *sink)
{
	return put_traces(from, sink);
}

static int rows_compared_bisection(const void *from, struct ct_table_sink *sink)
{
	return put_traces(from, sink);
}

/* A series of a figure of a trace. */
struct place {
	const struct ct_compare *compare;
	enum ct_compare_name name;
	const struct ct_compare_trace *trace;
	const char *series;
	const struct ct_compare_series *of;
};

static int each_series(const struct ct_compare *compare, enum ct_compare_name name,
		       struct ct_table_sink *sink,
		       int (*put)(struct ct_table_sink *sink, const struct place *place))
{
	const char *const *series = ct_compare_figure[name].series;
	int err = 0;

	for (size_t t = 0; t < compare->count; t++)
		for (unsigned s = 0; s < CT_COMPARE_SERIES && series[s] && err == 0; s++)
			err =
			    put(sink, &(struct place){compare, name, &compare->trace[t], series[s],
						      &compare->trace[t].series[name][s]});
	return err;
}

static int put_quantiles(struct ct_table_sink *sink, const struct place *place)
{
	static const double share[QUANTILES] = {0.1, 0.5, 0.9, 1};
	struct quantiles row = {.trace = place->trace->label, .series = place->series};

	for (unsigned q = 0; q < QUANTILES; q++)
		row.quantile[q] =
		    place->of->count ? ct_compare_quantile(place->of, share[q]) : CT_MISSING;
	return ct_table_put_row(sink, &row);
}

static int rows_compared_sizes(const void *from, struct ct_table_sink *sink)
{
	return each_series(from, CT_COMPARE_TRANSFER_SIZE, sink, put_quantiles);
}

static int rows_compared_strides(const void *from, struct ct_table_sink *sink)
{
	return each_series(from, CT_COMPARE_STRIDE, sink, put_quantiles);
}

static unsigned bin_of(uint64_t last)
{
	unsigned bin = last < 2 ? (unsigned)last : (unsigned)(65 - __builtin_clzll(last - 1));

	return bin < BINS ? bin : BINS - 1;
}

/* Whether any trace has something in a bin of the figure. */
static bool is_used(const struct ct_compare *compare, enum ct_compare_name name, unsigned bin)
{
	for (size_t t = 0; t < compare->count; t++)
		for (unsigned s = 0; s < CT_COMPARE_SERIES; s++) {
			const struct ct_compare_series *of = &compare->trace[t].series[name][s];

			for (size_t i = 0; i < of->count; i++)
				if (bin_of(of->point[i].y) == bin)
					return true;
		}
	return false;
}

static int put_bins(struct ct_table_sink *sink, const struct place *place)
{
	struct bins row = {.trace = place->trace->label, .series = place->series};

	for (unsigned bin = 0; bin < BINS; bin++)
		row.bin[bin] = is_used(place->compare, place->name, bin) ? 0 : NAN;
	for (size_t i = 0; i < place->of->count; i++)
		row.bin[bin_of(place->of->point[i].y)] += place->of->point[i].value;
	return ct_table_put_row(sink, &row);
}

static int rows_compared_partners(const void *from, struct ct_table_sink *sink)
{
	return each_series(from, CT_COMPARE_DEGREE, sink, put_bins);
}

static int rows_compared_distances(const void *from, struct ct_table_sink *sink)
{
	return each_series(from, CT_COMPARE_DISTANCE, sink, put_bins);
}

static int put_spread(struct ct_table_sink *sink, const struct place *place)
{
	struct spread row = {.trace = place->trace->label, .series = place->series};

	for (size_t i = 0; i < place->of->count; i++) {
		double value = place->of->point[i].value;

		if (i == 0 || value < row.least)
			row.least = value;
		if (i == 0 || value > row.most)
			row.most = value;
		row.mean += value / (double)place->of->count;
	}
	return ct_table_put_row(sink, &row);
}

static int rows_compared_step_volumes(const void *from, struct ct_table_sink *sink)
{
	return each_series(from, CT_COMPARE_SUPERSTEP_VOLUME, sink, put_spread);
}

static int rows_compared_step_partners(const void *from, struct ct_table_sink *sink)
{
	return each_series(from, CT_COMPARE_OUT_DEGREE, sink, put_spread);
}

static int put_points(struct ct_table_sink *sink, const struct place *place)
{
	int err = 0;

	for (size_t i = 0; i < place->of->count && err == 0; i++)
		err = ct_table_put_row(sink, &(struct row_compared_points){
						 sink->given++, &ct_compare_figure[place->name],
						 place->trace->label, place->series,
						 &place->of->point[i]});
	return err;
}

static int rows_compared_points(const void *from, struct ct_table_sink *sink)
{
	int err = 0;

	for (unsigned name = 0; name < CT_COMPARE_FIGURES && err == 0; name++)
		err = each_series(from, (enum ct_compare_name)name, sink, put_points);
	return err;
}

const struct ct_table_def ct_compared_traces_table = {CT_TABLE_SHOWN(compared_traces, NULL)};

static const struct ct_table_def sizes = {CT_TABLE_SHOWN(compared_sizes, NULL)};
static const struct ct_table_def partners = {CT_TABLE_SHOWN(compared_partners, NULL)};
static const struct ct_table_def bisection = {CT_TABLE_SHOWN(compared_bisection, NULL)};
static const struct ct_table_def strides = {CT_TABLE_SHOWN(compared_strides, NULL)};
static const struct ct_table_def volumes = {CT_TABLE_SHOWN(compared_step_volumes, NULL)};
static const struct ct_table_def distances = {CT_TABLE_SHOWN(compared_distances, NULL)};
static const struct ct_table_def degrees = {CT_TABLE_SHOWN(compared_step_partners, NULL)};
static const struct ct_table_def points = {CT_TABLE_PARTS(compared_points, NULL)};

const struct ct_table_def *const ct_compare_tables[CT_COMPARE_TABLES + 1] = {
    &ct_compared_traces_table,
    &sizes,
    &partners,
    &bisection,
    &strides,
    &volumes,
    &distances,
    &degrees,
    &points,
    NULL};
