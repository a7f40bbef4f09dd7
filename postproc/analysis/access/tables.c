/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of accesses: what lines, kernels, objects and widths move, where atomics meet. */
#include "postproc/analysis/access/tables.h"
#include "postproc/analysis/access/sums.h"
#include "postproc/analysis/access/words.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAP_BYTES (4 * CT_ACCESS_HEAT_BINS + 1)

struct row_access_totals {
	uint64_t number;
	const struct ct_access_results *results;
	struct ct_access_figures figures;
};

struct row_accesses {
	uint64_t number, structure;
	uint64_t sectors; /* of all accesses */
	const struct ct_access_results *results;
	const struct ct_access_row *row;
	const struct ct_unit_site *site;
	const struct ct_kernel_entry *kernel;
	const char *object, *pattern;
};

#define row_other_accesses row_accesses

struct row_access_patterns {
	enum ct_access_pattern pattern;
	uint64_t requests;
};

struct row_access_spread {
	uint64_t sectors, requests;
};

struct row_sum {
	const struct ct_access_results *results;
	const struct ct_access_sum *sum;
	const struct ct_kernel_entry *kernel; /* of those by kernel */
};

#define row_access_kernels row_sum
#define row_access_objects row_sum
#define row_access_widths row_sum

struct row_access_launches {
	const struct ct_access_launch *launch;
};

struct row_access_heat {
	const struct ct_access_results *results;
	uint32_t group;
	uint64_t sectors;
	char map[MAP_BYTES];
};

struct row_access_heat_parts {
	uint64_t part, sectors;
};

struct row_hot_addresses {
	uint64_t number;
	const struct ct_access_hot *hot;
};

static const struct ct_access_span *span_of(const struct ct_access_figures *f,
					    enum ct_access_pattern pattern)
{
	return pattern == CT_ACCESS_STRIDED      ? &f->stride
	       : pattern == CT_ACCESS_MISALIGNED ? &f->misaligned
						 : &f->row;
}

static double span_least(const struct ct_access_figures *f, enum ct_access_pattern pattern)
{
	return f->pattern[pattern] ? (double)span_of(f, pattern)->least : NAN;
}

static double span_most(const struct ct_access_figures *f, enum ct_access_pattern pattern)
{
	return f->pattern[pattern] ? (double)span_of(f, pattern)->most : NAN;
}

static const char *space_text(const struct ct_access_results *results,
			      const struct ct_access_row *row)
{
	switch (ct_access_space(results, row->group)) {
	case CT_SPACE_SHARED:
		return "shared";
	case CT_SPACE_CONSTANT:
		return "constant";
	case CT_SPACE_LOCAL:
		return "local";
	default:
		return "global";
	}
}

#define CT_DESCRIBED "postproc/analysis/access/tables.def"
#include "postproc/tables/described.h"

static bool is_global(const struct ct_access_results *results, const struct ct_access_row *row)
{
	return ct_access_space(results, row->group) == CT_SPACE_GLOBAL;
}

static int rows_access_totals(const void *from, struct ct_table_sink *sink)
{
	struct row_access_totals row = {.results = from};

	for (size_t i = 0; i < row.results->rows; i++)
		if (is_global(from, &row.results->row[i]))
			ct_access_figures_add(&row.figures, &row.results->row[i].figures);
	return ct_table_put_row(sink, &row);
}

static int compare_excess(const void *left, const void *right)
{
	const struct ct_access_row *a = *(const struct ct_access_row *const *)left;
	const struct ct_access_row *b = *(const struct ct_access_row *const *)right;
	const struct ct_access_figures *f = &a->figures, *g = &b->figures;
	uint64_t p = f->sectors - f->ideal, q = g->sectors - g->ideal;

	if (p != q)
		return p > q ? -1 : 1;
	p = f->wavefronts - f->ideal_wavefronts;
	q = g->wavefronts - g->ideal_wavefronts;
	if (p != q)
		return p > q ? -1 : 1;
	if (f->sectors != g->sectors)
		return f->sectors > g->sectors ? -1 : 1;
	if (f->requests != g->requests)
		return f->requests > g->requests ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int put_figures(struct ct_table_sink *sink, const struct ct_access_figures *f)
{
	int err = 0;

	for (unsigned p = 0; p < CT_ACCESS_PATTERNS && err == 0; p++) {
		const struct row_access_patterns row = {(enum ct_access_pattern)p, f->pattern[p]};

		if (row.requests)
			err = ct_table_put_child(sink, 0, &row);
	}
	for (unsigned i = 0; i < CT_ACCESS_SPREADS && err == 0; i++) {
		const struct row_access_spread row = {UINT64_C(1) << i, f->spread[i]};

		if (row.requests)
			err = ct_table_put_child(sink, 1, &row);
	}
	return err;
}

static uint64_t count_sectors(const struct ct_access_results *results)
{
	uint64_t sectors = 0;

	for (size_t i = 0; i < results->rows; i++)
		sectors += results->row[i].figures.sectors;
	return sectors;
}

static int put_access(struct ct_table_sink *sink, const struct ct_access_results *results,
		      const struct ct_access_row *own, uint64_t number, uint64_t sectors)
{
	uint64_t structure = ct_access_structure(results, own);
	char words[CT_ACCESS_WORDS_BYTES];
	const struct row_accesses row = {
	    .number = number,
	    .sectors = sectors,
	    .structure = structure ? structure : CT_MISSING,
	    .results = results,
	    .row = own,
	    .site = &own->unit->sites[own->site],
	    .kernel = &results->kernels.list[own->kernel],
	    .object = ct_access_group_text(results, own->group),
	    .pattern = ct_access_words(results, own, words),
	};

	return ct_table_put_row(sink, &row);
}

/* The most sectors, and wavefronts, beyond the ideal first. */
static int put_accesses(struct ct_table_sink *sink, const struct ct_access_results *results,
			bool are_global)
{
	const struct ct_access_row **sorted = malloc((results->rows + 1) * sizeof(*sorted));
	uint64_t number = 0, sectors = count_sectors(results);
	int err = sorted ? 0 : -ENOMEM;

	for (size_t i = 0; sorted && i < results->rows; i++)
		sorted[i] = &results->row[i];
	if (sorted)
		qsort(sorted, results->rows, sizeof(*sorted), compare_excess);
	for (size_t i = 0; i < results->rows && err == 0; i++) {
		if (is_global(results, sorted[i]) != are_global)
			continue;
		err = put_access(sink, results, sorted[i], number++, sectors);
		if (err == 0 && are_global)
			err = put_figures(sink, &sorted[i]->figures);
	}
	free(sorted);
	return err;
}

static int rows_accesses(const void *from, struct ct_table_sink *sink)
{
	return put_accesses(sink, from, true);
}

static int rows_other_accesses(const void *from, struct ct_table_sink *sink)
{
	return put_accesses(sink, from, false);
}

static int put_sums(struct ct_table_sink *sink, const struct ct_access_results *results,
		    enum ct_access_by by)
{
	struct ct_access_sums sums;
	int err = ct_access_sums_init(&sums, results, by);

	for (size_t i = 0; err == 0 && i < sums.count; i++) {
		const struct row_sum row = {results, &sums.list[i],
					    &results->kernels.list[sums.list[i].kernel]};

		err = ct_table_put_row(sink, &row);
	}
	ct_access_sums_fini(&sums);
	return err;
}

static int rows_access_kernels(const void *from, struct ct_table_sink *sink)
{
	return put_sums(sink, from, CT_ACCESS_BY_KERNEL);
}

static int rows_access_objects(const void *from, struct ct_table_sink *sink)
{
	return put_sums(sink, from, CT_ACCESS_BY_OBJECT);
}

static int rows_access_widths(const void *from, struct ct_table_sink *sink)
{
	return put_sums(sink, from, CT_ACCESS_BY_WIDTH);
}

static int rows_access_launches(const void *from, struct ct_table_sink *sink)
{
	const struct ct_access_results *results = from;
	int err = 0;

	for (size_t i = 0; i < results->launches && err == 0; i++) {
		const struct row_access_launches row = {&results->launch[i]};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* Heights from nothing to as much as the most. */
static void draw_map(char text[MAP_BYTES], const uint64_t *bins)
{
	static const char *const block[] = {"\u258f", "\u2581", "\u2582", "\u2583", "\u2584",
					    "\u2585", "\u2586", "\u2587", "\u2588"};
	uint64_t most = 1;
	size_t at = 0;

	for (uint32_t b = 0; b < CT_ACCESS_HEAT_BINS; b++)
		most = bins[b] > most ? bins[b] : most;
	for (uint32_t b = 0; b < CT_ACCESS_HEAT_BINS; b++) {
		const char *step = block[(8 * bins[b] + most - 1) / most];

		memcpy(text + at, step, strlen(step));
		at += strlen(step);
	}
	text[at] = '\0';
}

static int compare_heat(const void *left, const void *right)
{
	const struct row_access_heat *a = left, *b = right;

	if (a->sectors != b->sectors)
		return a->sectors > b->sectors ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

static int put_heat(struct ct_table_sink *sink, const struct row_access_heat *row,
		    const uint64_t *bins)
{
	int err = ct_table_put_row(sink, row);

	for (uint32_t b = 0; b < CT_ACCESS_HEAT_BINS && err == 0; b++) {
		const struct row_access_heat_parts part = {b, bins[b]};

		err = ct_table_put_child(sink, 0, &part);
	}
	return err;
}

static int rows_access_heat(const void *from, struct ct_table_sink *sink)
{
	const struct ct_access_results *results = from;
	const struct ct_access_heat *heat = &results->heat;
	struct row_access_heat *rows = calloc(heat->groups + 1u, sizeof(*rows));
	size_t count = 0;
	int err = rows ? 0 : -ENOMEM;

	for (uint32_t g = 0; rows && g < heat->groups; g++) {
		if (!heat->sectors[g])
			continue;
		rows[count] = (struct row_access_heat){results, g, ct_access_heat_sum(heat, g), ""};
		draw_map(rows[count++].map, heat->sectors[g]);
	}
	if (rows)
		qsort(rows, count, sizeof(*rows), compare_heat);
	for (size_t i = 0; i < count && err == 0; i++)
		err = put_heat(sink, &rows[i], heat->sectors[rows[i].group]);
	free(rows);
	return err;
}

static int rows_hot_addresses(const void *from, struct ct_table_sink *sink)
{
	const struct ct_access_results *results = from;
	int err = 0;

	for (size_t i = 0; i < results->hots && err == 0; i++) {
		const struct row_hot_addresses row = {i, &results->hot[i]};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

/* Rows of a child come with those of its table. */
#define rows_access_patterns NULL
#define rows_access_spread NULL
#define rows_access_heat_parts NULL

static const struct ct_table_def patterns = {CT_TABLE_PARTS(access_patterns, NULL)};
static const struct ct_table_def spread = {CT_TABLE_PARTS(access_spread, NULL)};
static const struct ct_table_def heat_parts = {CT_TABLE_PARTS(access_heat_parts, NULL)};

static const struct ct_table_link of_sites[] = {
    {"unit, site", "sites", "unit, site"}, {"symbol", NULL, NULL}, {0}};
static const struct ct_table_link of_launch[] = {{"part, launch", "launches", "part, launch"}, {0}};
static const struct ct_table_link of_hot[] = {
    {"part, launch", "launches", "part, launch"}, {"unit, site", "sites", "unit, site"}, {0}};
static const struct ct_table_child of_access[] = {
    {"patterns", &patterns}, {"spread", &spread}, {NULL, NULL}};
static const struct ct_table_child of_heat[] = {{"parts", &heat_parts}, {NULL, NULL}};

const struct ct_table_def ct_access_totals_table = {CT_TABLE_PARTS(access_totals, NULL)};
const struct ct_table_def ct_accesses_table = {CT_TABLE_SHOWN(accesses, of_sites),
					       .child = of_access};
const struct ct_table_def ct_access_kernels_table = {CT_TABLE_SHOWN(access_kernels, NULL)};
const struct ct_table_def ct_access_objects_table = {CT_TABLE_SHOWN(access_objects, NULL)};
const struct ct_table_def ct_access_widths_table = {CT_TABLE_SHOWN(access_widths, NULL)};
const struct ct_table_def ct_access_launches_table = {CT_TABLE_PARTS(access_launches, of_launch)};
const struct ct_table_def ct_access_heat_table = {CT_TABLE_SHOWN(access_heat, NULL),
						  .child = of_heat};
const struct ct_table_def ct_other_accesses_table = {CT_TABLE_SHOWN(other_accesses, of_sites)};
const struct ct_table_def ct_hot_addresses_table = {CT_TABLE_SHOWN(hot_addresses, of_hot)};
