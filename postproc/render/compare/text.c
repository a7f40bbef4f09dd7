/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as text tables, a row for each trace. */
#include "postproc/render/compare/compare.h"

#include <errno.h>
#include <string.h>

#define BINS_MAX 12u /* columns of a table of bins; the rest is in the last one */

static void put_size(struct ct_table *table, double bytes)
{
	char buffer[CT_NUMBER_BYTES];

	ct_table_text(table, ct_size((uint64_t)bytes, buffer));
}

static void put_share(struct ct_table *table, double share)
{
	char text[32];

	snprintf(text, sizeof(text), "%.1f %%", 100 * share);
	ct_table_text(table, text);
}

static void put_real(struct ct_table *table, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.4g", value);
	ct_table_text(table, text);
}

static const struct ct_compare_series *series_of(const struct ct_compare_trace *trace,
						 enum ct_compare_name name, unsigned series)
{
	return &trace->series[name][series];
}

static double value_of(const struct ct_compare_trace *trace, enum ct_compare_name name,
		       unsigned series)
{
	const struct ct_compare_series *of = series_of(trace, name, series);

	return of->count ? of->point[0].value : 0;
}

static int begin(FILE *out, const struct ct_style *style, enum ct_compare_name name,
		 const struct ct_column *columns, size_t count, struct ct_table **table)
{
	fputs(name == CT_COMPARE_VOLUME ? "" : "\n", out);
	ct_emphasise(out, style, CT_BOLD, ct_compare_figure[name].title);
	fputc('\n', out);
	return ct_table_open(table, columns, count);
}

static int end(FILE *out, const struct ct_style *style, struct ct_table *table)
{
	int err = ct_table_write(table, out, style);

	ct_table_close(table);
	return err;
}

static int write_volume(FILE *out, const struct ct_compare *compare, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {.title = "trace", .least = 12},        {.title = "CTAs", .right = 1},
	    {.title = "supersteps", .right = 1},    {.title = "load", .right = 1},
	    {.title = "store", .right = 1},         {.title = "communicated", .right = 1},
	    {.title = "of the stores", .right = 1}, {.title = "exchanged", .right = 1},
	};
	struct ct_table *table;
	int err = begin(out, style, CT_COMPARE_VOLUME, columns, sizeof(columns) / sizeof(*columns),
			&table);

	for (size_t t = 0; err == 0 && t < compare->count; t++) {
		const struct ct_compare_trace *trace = &compare->trace[t];

		ct_table_text(table, trace->label);
		ct_table_number(table, trace->ctas);
		ct_table_number(table, trace->supersteps);
		put_size(table, value_of(trace, CT_COMPARE_VOLUME, 0));
		put_size(table, value_of(trace, CT_COMPARE_VOLUME, 1));
		put_size(table, value_of(trace, CT_COMPARE_VOLUME, 3));
		put_share(table, value_of(trace, CT_COMPARE_FRACTION, 0));
		put_share(table, value_of(trace, CT_COMPARE_FRACTION, 1));
	}
	return err == 0 ? end(out, style, table) : err;
}

/* A row for each trace, quantiles of each series beside each other. */
static int write_curves(FILE *out, const struct ct_compare *compare, const struct ct_style *style,
			enum ct_compare_name name)
{
	static const double quantile[] = {0.1, 0.5, 0.9, 1};
	static const char *const word[] = {"10 %", "median", "90 %", "largest"};
	struct ct_column columns[2 + 4] = {{.title = "trace", .least = 12}, {.title = "of"}};
	struct ct_table *table;
	int err;

	for (unsigned q = 0; q < 4; q++)
		columns[2 + q] = (struct ct_column){.title = word[q], .right = 1};
	err = begin(out, style, name, columns, 6, &table);
	for (size_t t = 0; err == 0 && t < compare->count; t++)
		for (unsigned s = 0; ct_compare_figure[name].series[s]; s++) {
			const struct ct_compare_series *curve =
			    series_of(&compare->trace[t], name, s);

			ct_table_text(table, compare->trace[t].label);
			ct_table_text(table, ct_compare_figure[name].series[s]);
			for (unsigned q = 0; q < 4; q++)
				if (curve->count)
					put_size(table,
						 (double)ct_compare_quantile(curve, quantile[q]));
				else
					ct_table_text(table, "-");
		}
	return err == 0 ? end(out, style, table) : err;
}

/* The bins, by their last key, that any trace has something in; at most BINS_MAX. */
static size_t bins_of(const struct ct_compare *compare, enum ct_compare_name name,
		      struct ct_compare_point bin[BINS_MAX])
{
	size_t count = 0;
	uint64_t last = 0;
	bool found = true;

	while (found && count < BINS_MAX) {
		found = false;
		for (size_t t = 0; t < compare->count; t++)
			for (unsigned s = 0; ct_compare_figure[name].series[s]; s++) {
				const struct ct_compare_series *of =
				    series_of(&compare->trace[t], name, s);

				for (size_t i = 0; i < of->count; i++)
					if ((!count || of->point[i].y > last) &&
					    (!found || of->point[i].y < bin[count].y)) {
						bin[count] = of->point[i];
						found = true;
					}
			}
		if (found)
			last = bin[count++].y;
	}
	return count;
}

static double share_of_bin(const struct ct_compare_series *of, uint64_t last, bool and_above)
{
	double share = 0;

	for (size_t i = 0; i < of->count; i++)
		if (of->point[i].y == last || (and_above && of->point[i].y > last))
			share += of->point[i].value;
	return share;
}

static int write_bins(FILE *out, const struct ct_compare *compare, const struct ct_style *style,
		      enum ct_compare_name name)
{
	struct ct_column columns[2 + BINS_MAX] = {{.title = "trace", .least = 12}, {.title = "of"}};
	struct ct_compare_point bin[BINS_MAX];
	char title[BINS_MAX][48];
	size_t bins = bins_of(compare, name, bin);
	struct ct_table *table;
	int err;

	for (size_t i = 0; i < bins; i++) {
		const char *more = i + 1 == BINS_MAX ? "+" : "";

		if (bin[i].x == bin[i].y || *more)
			snprintf(title[i], sizeof(title[i]), "%llu%s", (unsigned long long)bin[i].x,
				 more);
		else
			snprintf(title[i], sizeof(title[i]), "%llu-%llu",
				 (unsigned long long)bin[i].x, (unsigned long long)bin[i].y);
		columns[2 + i] = (struct ct_column){.title = title[i], .right = 1};
	}
	err = begin(out, style, name, columns, 2 + bins, &table);
	for (size_t t = 0; err == 0 && t < compare->count; t++)
		for (unsigned s = 0; ct_compare_figure[name].series[s]; s++) {
			ct_table_text(table, compare->trace[t].label);
			ct_table_text(table, ct_compare_figure[name].series[s]);
			for (size_t i = 0; i < bins; i++)
				put_share(table,
					  share_of_bin(series_of(&compare->trace[t], name, s),
						       bin[i].y, i + 1 == BINS_MAX));
		}
	return err == 0 ? end(out, style, table) : err;
}

static int write_bisection(FILE *out, const struct ct_compare *compare,
			   const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {.title = "trace", .least = 12}, {.title = "x", .right = 1},
	    {.title = "of all", .right = 1}, {.title = "y", .right = 1},
	    {.title = "of all", .right = 1}, {.title = "z", .right = 1},
	    {.title = "of all", .right = 1},
	};
	struct ct_table *table;
	int err = begin(out, style, CT_COMPARE_BISECTION, columns,
			sizeof(columns) / sizeof(*columns), &table);

	for (size_t t = 0; err == 0 && t < compare->count; t++) {
		ct_table_text(table, compare->trace[t].label);
		for (unsigned i = 0; i < 3; i++) {
			put_size(table, value_of(&compare->trace[t], CT_COMPARE_BISECTION, i));
			put_share(table,
				  value_of(&compare->trace[t], CT_COMPARE_BISECTION_SHARE, i));
		}
	}
	return err == 0 ? end(out, style, table) : err;
}

struct spread {
	double least, mean, most;
};

static struct spread spread_of(const struct ct_compare_series *line)
{
	struct spread spread = {0};

	for (size_t i = 0; i < line->count; i++) {
		double value = line->point[i].value;

		if (i == 0 || value < spread.least)
			spread.least = value;
		if (i == 0 || value > spread.most)
			spread.most = value;
		spread.mean += value / (double)line->count;
	}
	return spread;
}

/* What a line of supersteps goes through. */
static int write_lines(FILE *out, const struct ct_compare *compare, const struct ct_style *style,
		       enum ct_compare_name name)
{
	static const struct ct_column columns[] = {
	    {.title = "trace", .least = 12}, {.title = "of"},
	    {.title = "least", .right = 1},  {.title = "mean", .right = 1},
	    {.title = "most", .right = 1},
	};
	void (*put)(struct ct_table *, double) =
	    ct_compare_figure[name].value == CT_COMPARE_BYTES ? put_size : put_real;
	struct ct_table *table;
	int err = begin(out, style, name, columns, sizeof(columns) / sizeof(*columns), &table);

	for (size_t t = 0; err == 0 && t < compare->count; t++)
		for (unsigned s = 0; ct_compare_figure[name].series[s]; s++) {
			struct spread spread = spread_of(series_of(&compare->trace[t], name, s));

			ct_table_text(table, compare->trace[t].label);
			ct_table_text(table, ct_compare_figure[name].series[s]);
			put(table, spread.least);
			put(table, spread.mean);
			put(table, spread.most);
		}
	return err == 0 ? end(out, style, table) : err;
}

int ct_compare_write_text(FILE *out, const struct ct_compare *compare, const struct ct_style *style)
{
	int err = write_volume(out, compare, style);

	if (err == 0)
		err = write_curves(out, compare, style, CT_COMPARE_TRANSFER_SIZE);
	if (err == 0)
		err = write_bins(out, compare, style, CT_COMPARE_DEGREE);
	if (err == 0)
		err = write_bisection(out, compare, style);
	if (err == 0)
		err = write_curves(out, compare, style, CT_COMPARE_STRIDE);
	if (err == 0)
		err = write_lines(out, compare, style, CT_COMPARE_SUPERSTEP_VOLUME);
	if (err == 0)
		err = write_bins(out, compare, style, CT_COMPARE_DISTANCE);
	if (err == 0)
		err = write_lines(out, compare, style, CT_COMPARE_OUT_DEGREE);
	return err == 0 && ferror(out) ? -EIO : err;
}
