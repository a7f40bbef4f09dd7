/* SPDX-License-Identifier: Apache-2.0 */
/* When CTAs ran, for a terminal: tables of kernels and launches, a chart of one launch. */
#include "base/quantity.h"
#include "postproc/render/ctas/ctas.h"
#include "postproc/tables/amount.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINES 8

static void put_amount(struct ct_table *table, double value, const char *unit)
{
	char text[CT_AMOUNT_BYTES];

	ct_table_text(table, ct_amount_text(&(struct ct_amount){value, unit}, text));
}

static void put_time(struct ct_table *table, uint64_t ns)
{
	put_amount(table, (double)ns / 1e9, "s");
}

static void put_share(struct ct_table *table, uint64_t part, uint64_t whole)
{
	put_amount(table, whole ? 100.0 * (double)part / (double)whole : 0, "%");
}

static void put_ratio(struct ct_table *table, double ratio)
{
	char text[32];

	snprintf(text, sizeof(text), "%.2f", ratio);
	ct_table_text(table, text);
}

static int write_kernels(FILE *out, const struct ct_ctas *ctas, const struct ct_style *style,
			 size_t rows)
{
	static const struct ct_column columns[] = {
	    {"kernel", 0, 12, 1},      {"launches", 1, 0, 0},      {"CTAs", 1, 0, 0},
	    {"time", 1, 0, 0},         {"waves", 1, 0, 0},         {"tail", 1, 0, 0},
	    {"SM imbalance", 1, 0, 0}, {"CTA imbalance", 1, 0, 0}, {"balance saves", 1, 0, 0},
	    {"times of", 0, 0, 0},
	};
	struct ct_table *table;
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	if (err < 0)
		return err;
	ct_emphasise(out, style, CT_BOLD, "Kernels");
	fputc('\n', out);
	for (size_t i = 0; i < ctas->kernels && i < rows; i++) {
		const struct ct_ctas_kernel *kernel = &ctas->kernel[i];

		ct_table_name(table, kernel->name);
		ct_table_number(table, kernel->launches);
		ct_table_number(table, kernel->ctas);
		put_time(table, kernel->time_ns);
		put_ratio(table, kernel->waves);
		put_share(table, kernel->tail_ns, kernel->time_ns);
		put_ratio(table, kernel->imbalance);
		put_ratio(table, kernel->cta_imbalance);
		put_time(table, kernel->saved_ns);
		ct_table_text(table, kernel->is_traced ? "traced" : "program");
	}
	return ct_table_finish(table, out, style, ctas->kernels, rows);
}

static int write_launches(FILE *out, const struct ct_ctas_launch *const *by_time, size_t count,
			  const struct ct_style *style, size_t rows)
{
	static const struct ct_column columns[] = {
	    {"#", 1, 0, 0},     {"kernel", 0, 12, 1}, {"CTAs", 1, 0, 0},   {"SMs", 1, 0, 0},
	    {"time", 1, 0, 0},  {"CTA min", 1, 0, 0}, {"median", 1, 0, 0}, {"mean", 1, 0, 0},
	    {"p95", 1, 0, 0},   {"max", 1, 0, 0},     {"per SM", 1, 0, 0}, {"most per SM", 1, 0, 0},
	    {"waves", 1, 0, 0}, {"tail", 1, 0, 0},
	};
	struct ct_table *table;
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	if (err < 0)
		return err;
	for (size_t i = 0; i < count && i < rows; i++) {
		const struct ct_ctas_launch *launch = by_time[i];

		ct_table_number(table, launch->launch->event->launch);
		ct_table_name(table, launch->launch->kernel);
		ct_table_number(table, launch->ctas);
		ct_table_number(table, launch->sms);
		put_time(table, ct_ctas_time_ns(launch));
		put_time(table, launch->min_ns);
		put_time(table, launch->median_ns);
		put_time(table, launch->total_ns / launch->ctas);
		put_time(table, launch->p95_ns);
		put_time(table, launch->max_ns);
		put_ratio(table, ct_ctas_mean_resident(launch));
		ct_table_number(table, launch->peak_of_sm);
		put_ratio(table, ct_ctas_waves(launch));
		put_share(table, ct_ctas_tail_ns(launch), ct_ctas_time_ns(launch));
	}
	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, "Launches");
	fputc('\n', out);
	return ct_table_finish(table, out, style, count, rows);
}

/* A column for each part of the time, '#' up to its mean number of resident CTAs. */
static void write_course(FILE *out, const struct ct_ctas_launch *launch,
			 const struct ct_style *style)
{
	double resident[CT_CTAS_COURSE], peak = (double)launch->peak;
	int lines = launch->peak < LINES ? (int)launch->peak : LINES;
	char title[256], text[CT_AMOUNT_BYTES];

	ct_ctas_course(launch, resident, CT_CTAS_COURSE);
	snprintf(title, sizeof(title), "Resident CTAs of launch %u, %.160s",
		 launch->launch->event->launch, launch->launch->kernel);
	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, title);
	fputc('\n', out);
	for (int line = lines; line > 0; line--) {
		double least = peak * (line - 0.5) / lines;

		fprintf(out, "%8.0f |", peak * line / lines);
		for (size_t i = 0; i < CT_CTAS_COURSE; i++)
			fputc(resident[i] >= least ? '#' : ' ', out);
		fputc('\n', out);
	}
	fprintf(out, "%8s +", "0");
	for (size_t i = 0; i < CT_CTAS_COURSE; i++)
		fputc('-', out);
	fprintf(
	    out, "> %s\n",
	    ct_amount_text(&(struct ct_amount){(double)ct_ctas_time_ns(launch) / 1e9, "s"}, text));
}

static bool has_traced(const struct ct_ctas *ctas)
{
	for (size_t i = 0; i < ctas->kernels; i++)
		if (ctas->kernel[i].is_traced)
			return true;
	return false;
}

static int by_time(const void *a, const void *b)
{
	const struct ct_ctas_launch *x = *(const struct ct_ctas_launch *const *)a;
	const struct ct_ctas_launch *y = *(const struct ct_ctas_launch *const *)b;
	uint64_t of_x = ct_ctas_time_ns(x), of_y = ct_ctas_time_ns(y);

	if (of_x != of_y)
		return of_x < of_y ? 1 : -1;
	return (x > y) - (x < y);
}

const struct ct_ctas_launch **ct_ctas_by_time(const struct ct_ctas *ctas)
{
	const struct ct_ctas_launch **list = malloc((ctas->launches + 1) * sizeof(*list));

	for (size_t i = 0; list && i < ctas->launches; i++)
		list[i] = &ctas->launch[i];
	if (list && ctas->launches)
		qsort(list, ctas->launches, sizeof(*list), by_time);
	return list;
}

int ct_ctas_write(FILE *out, const struct ct_ctas *ctas, const struct ct_style *style, size_t rows)
{
	const struct ct_ctas_launch **list = ct_ctas_by_time(ctas);
	int err = list ? 0 : -ENOMEM;

	if (err == 0)
		err = write_kernels(out, ctas, style, rows);
	if (err == 0)
		err = write_launches(out, list, ctas->launches, style, rows);
	if (err == 0)
		write_course(out, list[0], style);
	if (err == 0 && has_traced(ctas))
		fputs("\nTraced: times of the instrumented kernel, not the program's; for those "
		      "trace with ctrun --tier=clock.\n",
		      out);
	free(list);
	return err;
}
