/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses for a terminal: what to do, what lines, kernels, objects and widths move, where lanes
 * meet. */
#include "base/quantity.h"
#include "postproc/render/access/beside.h"
#include "postproc/render/access/sums.h"
#include "postproc/render/base/amount.h"
#include "postproc/render/base/words.h"

#include <errno.h>
#include <stdlib.h>

#define LINE_BYTES 256u

static void put_amount(struct ct_table *table, double value, const char *unit)
{
	char text[CT_AMOUNT_BYTES];
	struct ct_amount amount = {value, unit};

	ct_table_text(table, ct_amount_text(&amount, text));
}

static void put_mean(struct ct_table *table, uint64_t sum, uint64_t count)
{
	char text[32];

	snprintf(text, sizeof(text), "%.1f", count ? (double)sum / (double)count : 0);
	ct_table_text(table, text);
}

static void write_total(FILE *out, const struct ct_access_results *results)
{
	struct ct_access_figures sum = {0};
	char number[6][CT_NUMBER_BYTES];

	for (size_t i = 0; i < results->rows; i++)
		if (ct_access_space(results, results->row[i].group) == CT_SPACE_GLOBAL)
			ct_access_figures_add(&sum, &results->row[i].figures);
	fprintf(out,
		"Global memory: %s requests take %s sectors (%s); %s would do (%.1f %%)\n"
		"Lanes ask for %s, of which %s distinct in their requests; %.1f of 32 lanes are "
		"active\n",
		ct_number(sum.requests, number[0]), ct_number(sum.sectors, number[1]),
		ct_size(sum.sectors * CT_SECTOR_BYTES, number[2]), ct_number(sum.ideal, number[3]),
		100 * ct_access_efficiency(&sum), ct_size(sum.asked, number[4]),
		ct_size(sum.used, number[5]),
		sum.requests ? (double)sum.lanes / (double)sum.requests : 0);
}

static void write_advice(FILE *out, const struct ct_access_output *output,
			 const struct ct_style *style)
{
	size_t count = output->advices->count;

	if (!count)
		return;
	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, "What to do");
	fputc('\n', out);
	for (size_t i = 0; i < count && i < output->rows; i++) {
		const struct ct_access_advice *advice = &output->advices->list[i];
		const struct ct_amount time = {advice->saved_seconds, "s"};
		char worth[CT_AMOUNT_BYTES], sectors[CT_NUMBER_BYTES], seconds[CT_AMOUNT_BYTES];

		fprintf(out, "%s\n    %s.\n    %s: up to %s", advice->text, advice->evidence,
			advice->fix, ct_amount_text(&advice->worth, worth));
		if (advice->saved_sectors > 0)
			fprintf(out, ", %s sectors",
				ct_number((uint64_t)advice->saved_sectors, sectors));
		fprintf(out, " less");
		if (advice->saved_seconds > 0)
			fprintf(out, "; up to %s, as far as memory bounds the kernel",
				ct_amount_text(&time, seconds));
		fprintf(out, ".\n");
	}
	if (count > output->rows)
		fprintf(out, "%zu more (--rows=all)\n", count - output->rows);
}

static void put_figures(struct ct_table *table, const struct ct_access_figures *f)
{
	ct_table_number(table, f->requests);
	put_mean(table, f->lanes, f->requests);
	ct_table_number(table, f->sectors);
	ct_table_number(table, f->ideal);
	put_amount(table, 100 * ct_access_efficiency(f), "%");
	put_amount(table, (double)(f->sectors * CT_SECTOR_BYTES), "B");
}

#define FIGURES                                                                                    \
	{"requests", 1, 0, 0}, {"lanes", 1, 0, 0}, {"sectors", 1, 0, 0}, {"ideal", 1, 0, 0},       \
	    {"efficiency", 1, 0, 0},                                                               \
	{                                                                                          \
		"moved", 1, 0, 0                                                                   \
	}

static void put_line(struct ct_table *table, const struct ct_access_results *results,
		     const struct ct_access_row *row)
{
	const struct ct_unit_site *site = &row->unit->sites[row->site];
	char place[LINE_BYTES], words[CT_ACCESS_WORDS_BYTES];

	ct_table_text(table, ct_words_location(row->unit, site, place, sizeof(place)));
	ct_table_name(table, results->kernels.list[row->kernel].name);
	ct_table_text(table, ct_operation_text(site->operation));
	ct_table_text(table, ct_access_group_text(results, row->group));
	ct_table_number(table, site->bytes);
	put_figures(table, &row->figures);
	put_amount(table, (double)row->unique, "B");
	ct_table_text(table, ct_access_words(results, row, words));
}

static int write_lines(FILE *out, const struct ct_access_output *output,
		       const struct ct_access_row *const *sorted, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"line", 0, 12, 0},    {"kernel", 0, 12, 1}, {"operation", 0, 0, 0},
	    {"object", 0, 8, 1},   {"width", 1, 0, 0},   FIGURES,
	    {"distinct", 1, 0, 0}, {"pattern", 0, 0, 0},
	};
	const struct ct_access_results *results = output->results;
	struct ct_table *table;
	size_t count = 0;
	int err = ct_table_begin(&table, out, "Lines", columns, sizeof(columns) / sizeof(*columns),
				 style);

	for (size_t i = 0; err == 0 && i < results->rows; i++)
		if (ct_access_space(results, sorted[i]->group) == CT_SPACE_GLOBAL &&
		    count++ < output->rows)
			put_line(table, results, sorted[i]);
	return err == 0 ? ct_table_finish(table, out, style, count, output->rows) : err;
}

static int write_kernels(FILE *out, const struct ct_access_output *output,
			 const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"kernel", 0, 12, 1},
	    {"launches", 1, 0, 0},
	    FIGURES,
	    {"distinct", 1, 0, 0},
	    {"largest working set", 1, 0, 0},
	};
	const struct ct_access_results *results = output->results;
	struct ct_access_sums sums;
	struct ct_table *table;
	int err = ct_access_sums_init(&sums, results, CT_ACCESS_BY_KERNEL);

	if (err == 0)
		err = ct_table_begin(&table, out, "Kernels", columns,
				     sizeof(columns) / sizeof(*columns), style);
	for (size_t i = 0; err == 0 && i < sums.count && i < output->rows; i++) {
		const struct ct_access_sum *sum = &sums.list[i];

		ct_table_name(table, results->kernels.list[sum->kernel].name);
		ct_table_number(table, results->kernels.list[sum->kernel].launches);
		put_figures(table, &sum->figures);
		put_amount(table, (double)sum->unique, "B");
		put_amount(table, sum->largest ? (double)sum->largest->bytes : 0, "B");
	}
	if (err == 0)
		err = ct_table_finish(table, out, style, sums.count, output->rows);
	ct_access_sums_fini(&sums);
	return err;
}

static int write_objects(FILE *out, const struct ct_access_output *output,
			 const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"object", 0, 8, 1},
	    FIGURES,
	    {"distinct", 1, 0, 0},
	};
	struct ct_access_sums sums;
	struct ct_table *table;
	int err = ct_access_sums_init(&sums, output->results, CT_ACCESS_BY_OBJECT);

	if (err == 0)
		err = ct_table_begin(&table, out, "Objects", columns,
				     sizeof(columns) / sizeof(*columns), style);
	for (size_t i = 0; err == 0 && i < sums.count && i < output->rows; i++) {
		const struct ct_access_sum *sum = &sums.list[i];

		ct_table_text(table, ct_access_group_text(output->results, sum->group));
		put_figures(table, &sum->figures);
		put_amount(table, (double)sum->unique, "B");
	}
	if (err == 0)
		err = ct_table_finish(table, out, style, sums.count, output->rows);
	ct_access_sums_fini(&sums);
	return err;
}

static int write_widths(FILE *out, const struct ct_access_output *output,
			const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"class", 0, 0, 0},
	    {"width", 1, 0, 0},
	    FIGURES,
	};
	struct ct_access_sums sums;
	struct ct_table *table;
	int err = ct_access_sums_init(&sums, output->results, CT_ACCESS_BY_WIDTH);

	if (err == 0)
		err = ct_table_begin(&table, out, "Widths", columns,
				     sizeof(columns) / sizeof(*columns), style);
	for (size_t i = 0; err == 0 && i < sums.count && i < output->rows; i++) {
		ct_table_text(table, ct_class_text(sums.list[i].class));
		ct_table_number(table, sums.list[i].bytes);
		put_figures(table, &sums.list[i].figures);
	}
	if (err == 0)
		err = ct_table_finish(table, out, style, sums.count, output->rows);
	ct_access_sums_fini(&sums);
	return err;
}

static void put_elsewhere(struct ct_table *table, const struct ct_access_results *results,
			  const struct ct_access_row *row)
{
	const struct ct_unit_site *site = &row->unit->sites[row->site];
	const struct ct_access_figures *f = &row->figures;
	char place[LINE_BYTES], words[CT_ACCESS_WORDS_BYTES];

	ct_table_text(table, ct_words_location(row->unit, site, place, sizeof(place)));
	ct_table_name(table, results->kernels.list[row->kernel].name);
	ct_table_text(table, ct_operation_text(site->operation));
	ct_table_text(table, ct_words_space(ct_access_space(results, row->group)));
	ct_table_number(table, f->requests);
	put_mean(table, f->lanes, f->requests);
	if (f->banked)
		put_mean(table, f->ways, f->banked);
	else
		ct_table_text(table, NULL);
	ct_table_text(table, ct_access_words(results, row, words));
}

/* Shared, constant and local memory: nothing if none is recorded. */
static int write_elsewhere(FILE *out, const struct ct_access_output *output,
			   const struct ct_access_row *const *sorted, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"line", 0, 12, 0},     {"kernel", 0, 12, 1},  {"operation", 0, 0, 0},
	    {"memory", 0, 0, 0},    {"requests", 1, 0, 0}, {"lanes", 1, 0, 0},
	    {"conflicts", 1, 0, 0}, {"pattern", 0, 0, 0},
	};
	const struct ct_access_results *results = output->results;
	struct ct_table *table = NULL;
	size_t count = 0;
	int err = 0;

	for (size_t i = 0; err == 0 && i < results->rows; i++) {
		if (ct_access_space(results, sorted[i]->group) == CT_SPACE_GLOBAL)
			continue;
		if (!table)
			err = ct_table_begin(&table, out, "Other memory", columns,
					     sizeof(columns) / sizeof(*columns), style);
		if (err == 0 && count++ < output->rows)
			put_elsewhere(table, results, sorted[i]);
	}
	return table && err == 0 ? ct_table_finish(table, out, style, count, output->rows) : err;
}

static int write_hot(FILE *out, const struct ct_access_output *output, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"address", 0, 0, 0}, {"line", 0, 12, 0},   {"kernel", 0, 12, 1},
	    {"launch", 1, 0, 0},  {"atomics", 1, 0, 0},
	};
	const struct ct_access_results *results = output->results;
	struct ct_table *table;
	char number[2][CT_NUMBER_BYTES];
	int err;

	if (!results->hots)
		return 0;
	err = ct_table_begin(&table, out, "Where atomics meet", columns,
			     sizeof(columns) / sizeof(*columns), style);
	for (size_t i = 0; err == 0 && i < results->hots && i < output->rows; i++) {
		const struct ct_access_hot *hot = &results->hot[i];
		char text[LINE_BYTES];

		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)hot->address);
		ct_table_text(table, text);
		ct_table_text(table, ct_words_location(hot->unit, &hot->unit->sites[hot->site],
						       text, sizeof(text)));
		ct_table_name(table, hot->launch->kernel);
		ct_table_number(table, hot->launch->event->launch);
		ct_table_number(table, hot->lanes);
	}
	if (err == 0)
		err = ct_table_finish(table, out, style, results->hots, output->rows);
	fprintf(out, "%s atomics at %s addresses, by launch\n",
		ct_number(results->atomic_lanes, number[0]),
		ct_number(results->atomic_addresses, number[1]));
	return err;
}

int ct_access_write(FILE *out, const struct ct_access_output *output, const struct ct_style *style)
{
	const struct ct_access_row **sorted = ct_access_rows_by_excess(output->results);
	int err = sorted ? 0 : -ENOMEM;

	write_total(out, output->results);
	write_advice(out, output, style);
	if (err == 0)
		err = write_lines(out, output, sorted, style);
	if (err == 0)
		err = write_kernels(out, output, style);
	if (err == 0)
		err = write_objects(out, output, style);
	if (err == 0)
		err = ct_access_write_heat(out, output, style);
	if (err == 0)
		err = write_widths(out, output, style);
	if (err == 0)
		err = write_elsewhere(out, output, sorted, style);
	if (err == 0)
		err = ct_access_write_races(out, output, style);
	if (err == 0)
		err = ct_access_write_branches(out, output, style);
	if (err == 0)
		err = ct_access_write_reuse(out, output, style);
	if (err == 0)
		err = write_hot(out, output, style);
	free(sorted);
	return err;
}
