/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of two studies side by side. */
#include "postproc/comparison/tables.h"
#include "postproc/comparison/comparison.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define row_compared_runs ct_comparison
#define row_compared_calls ct_compared_call

struct row_compared_doubts {
	uint64_t number;
	const char *text;
};

struct row_compared_problems {
	uint64_t number;
	const struct ct_compared_problem *p;
	const struct ct_finding *finding; /* of before, if it was there */
	struct ct_source_line place[2];
};

struct row_pair {
	uint64_t number;
	const char *name, *state;
	struct ct_source_line place[2];         /* of a line */
	const struct ct_side_kernel *kernel[2]; /* of a kernel; NULL: only the other one has it */
	struct ct_side_figures figures[2];
};

#define row_compared_kernels row_pair
#define row_compared_lines row_pair

static double share(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

static double ratio(double before, double after)
{
	return share(after, before);
}

static uint64_t number(size_t problem)
{
	return problem == CT_PAIR_NONE ? CT_MISSING : problem + 1;
}

static const char *measure_text(enum ct_compared_measure measure)
{
	static const char *const text[] = {NULL, "kernel", "model", "calls", "run"};

	return text[measure];
}

/* An expression of the figures f of one of both. */
#define OF(when, expression)                                                                       \
	({                                                                                         \
		const struct ct_side_figures *f = &r->figures[when];                               \
		expression;                                                                        \
	})

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/comparison/tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/comparison/tables.def"

static int rows_compared_runs(const void *from, struct ct_table_sink *sink)
{
	return ct_table_put_row(sink, from);
}

static int rows_compared_doubts(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comparison *comparison = from;
	int err = 0;

	for (size_t i = 0; i < comparison->doubts && err == 0; i++)
		err =
		    ct_table_put_row(sink, &(struct row_compared_doubts){i, comparison->doubt[i]});
	return err;
}

static int rows_compared_problems(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comparison *comparison = from;
	int err = 0;

	for (size_t i = 0; i < comparison->problems && err == 0; i++) {
		const struct ct_compared_problem *p = &comparison->problem[i];
		struct row_compared_problems row = {
		    .number = i, .p = p, .finding = p->part[p->part[0] ? 0 : 1]->finding};

		for (unsigned when = 0; when < 2; when++) {
			const struct ct_problem *problem =
			    p->part[when] ? &comparison->side[when]->problems->list[p->number[when]]
					  : NULL;

			if (problem)
				row.place[when] =
				    (struct ct_source_line){problem->file, problem->line};
		}
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static const char *state_of(const struct ct_compared_pair *pair)
{
	if (pair->before == CT_PAIR_NONE)
		return "after";
	return pair->after == CT_PAIR_NONE ? "before" : "both";
}

static size_t of_pair(const struct ct_compared_pair *pair, unsigned when)
{
	return when ? pair->after : pair->before;
}

static void fill_kernel(struct row_pair *row, const struct ct_comparison *comparison,
			const struct ct_compared_pair *pair)
{
	*row = (struct row_pair){.state = state_of(pair)};
	for (unsigned when = 0; when < 2; when++) {
		size_t number = of_pair(pair, when);

		row->figures[when] = CT_SIDE_NOTHING;
		if (number == CT_PAIR_NONE)
			continue;
		row->kernel[when] = &comparison->side[when]->kernel[number];
		row->figures[when] = row->kernel[when]->figures;
		if (!row->name)
			row->name = row->kernel[when]->name;
	}
}

static void fill_line(struct row_pair *row, const struct ct_comparison *comparison,
		      const struct ct_compared_pair *pair)
{
	*row = (struct row_pair){.state = state_of(pair)};
	for (unsigned when = 0; when < 2; when++) {
		size_t number = of_pair(pair, when);
		const struct ct_side *side = comparison->side[when];

		row->figures[when] = CT_SIDE_NOTHING;
		if (number == CT_PAIR_NONE)
			continue;
		row->place[when] =
		    (struct ct_source_line){side->line[number].file, side->line[number].line};
		row->figures[when] = side->line[number].figures;
		if (!row->name)
			row->name = side->kernel[side->line[number].kernel].name;
	}
}

static double or_0(double figure)
{
	return isnan(figure) ? 0 : figure;
}

static bool differ(double before, double after)
{
	return or_0(before) < or_0(after) || or_0(before) > or_0(after);
}

/* In what does not differ from run to run. */
static bool is_changed(const struct row_pair *row)
{
	const struct ct_side_figures *a = &row->figures[0], *b = &row->figures[1];

	return strcmp(row->state, "both") != 0 || differ(a->requests, b->requests) ||
	       differ(a->sectors, b->sectors) || differ(a->ideal_sectors, b->ideal_sectors) ||
	       differ(a->wavefronts, b->wavefronts) || differ(a->redundant, b->redundant);
}

/* Kernels by time, or else by sectors; lines by how much their sectors change. */
static double weight_of(const struct row_pair *row)
{
	const struct ct_side_figures *a = &row->figures[0], *b = &row->figures[1];

	if (row->kernel[0] || row->kernel[1])
		return fmax(or_0(a->seconds), or_0(b->seconds));
	return fabs(or_0(a->sectors) - or_0(b->sectors));
}

static int by_weight(const void *a, const void *b)
{
	const struct row_pair *x = a, *y = b;
	double i = weight_of(x), j = weight_of(y);

	if (i < j || i > j)
		return i < j ? 1 : -1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int put_pairs(struct ct_table_sink *sink, const struct ct_comparison *comparison,
		     const struct ct_compared_pairs *pairs,
		     void (*fill)(struct row_pair *row, const struct ct_comparison *comparison,
				  const struct ct_compared_pair *pair))
{
	struct row_pair *row = calloc(pairs->count + 1, sizeof(*row));
	int err = row ? 0 : -ENOMEM;
	size_t count = 0;

	for (size_t i = 0; i < pairs->count && err == 0; i++) {
		fill(&row[count], comparison, &pairs->list[i]);
		row[count].number = count;
		count += comparison->lists_all || row[count].kernel[0] || row[count].kernel[1] ||
			 is_changed(&row[count]);
	}
	if (row && count)
		qsort(row, count, sizeof(*row), by_weight);
	for (size_t i = 0; i < count && err == 0; i++) {
		row[i].number = i;
		err = ct_table_put_row(sink, &row[i]);
	}
	free(row);
	return err;
}

static int rows_compared_kernels(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comparison *comparison = from;

	return put_pairs(sink, comparison, &comparison->kernels, fill_kernel);
}

static int rows_compared_lines(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comparison *comparison = from;

	return put_pairs(sink, comparison, &comparison->lines, fill_line);
}

static int rows_compared_calls(const void *from, struct ct_table_sink *sink)
{
	const struct ct_comparison *comparison = from;
	int err = 0;

	for (size_t i = 0; i < comparison->calls && err == 0; i++)
		err = ct_table_put_row(sink, &comparison->call[i]);
	return err;
}

const struct ct_table_def ct_compared_runs_table = {CT_TABLE_PARTS(compared_runs, NULL)};
const struct ct_table_def ct_compared_doubts_table = {CT_TABLE_PARTS(compared_doubts, NULL)};
const struct ct_table_def ct_compared_problems_table = {CT_TABLE_PARTS(compared_problems, NULL)};
const struct ct_table_def ct_compared_kernels_table = {CT_TABLE_SHOWN(compared_kernels, NULL)};
const struct ct_table_def ct_compared_lines_table = {CT_TABLE_SHOWN(compared_lines, NULL)};
const struct ct_table_def ct_compared_calls_table = {CT_TABLE_SHOWN(compared_calls, NULL)};

/* clang-format off */
const struct ct_table_def *const ct_comparison_tables[CT_COMPARISON_TABLES + 1] = {
    &ct_compared_runs_table,
    &ct_compared_problems_table,
    &ct_compared_doubts_table,
    &ct_compared_kernels_table,
    &ct_compared_lines_table,
    &ct_compared_calls_table,
    NULL,
};
/* clang-format on */
