/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of program counters for a terminal. */
#include "base/quantity.h"
#include "postproc/render/samples/samples.h"
#include "postproc/tables/amount.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static void put_share(struct ct_table *table, double part, double whole)
{
	char text[CT_AMOUNT_BYTES];

	ct_table_text(
	    table,
	    ct_amount_text(&(struct ct_amount){whole > 0 ? 100 * part / whole : 0, "%"}, text));
}

/* "long scoreboard 95.2 %, wait 3.0 %": those that most warps waited for. */
static void put_reasons(struct ct_table *table, const struct ct_samples_study *study,
			const struct ct_samples_sum *sum)
{
	char text[256] = "", name[CT_REASON_BYTES];
	size_t length = 0;
	uint32_t first = CT_WEIGHT_NONE;

	for (unsigned shown = 0; shown < 2; shown++) {
		uint32_t best = CT_WEIGHT_NONE;

		for (uint32_t i = 0; i < study->weights.reason_count; i++)
			if (sum->by_reason[i] && i != first &&
			    (best == CT_WEIGHT_NONE || sum->by_reason[i] > sum->by_reason[best]))
				best = i;
		if (best == CT_WEIGHT_NONE)
			break;
		first = best;
		length += (size_t)snprintf(
		    text + length, sizeof(text) - length, "%s%s %.1f %%", shown ? ", " : "",
		    ct_samples_reason_text(study->weights.reasons[best], name),
		    100 * (double)sum->by_reason[best] / (double)sum->samples);
	}
	ct_table_text(table, text);
}

static int write_kernels(FILE *out, const struct ct_samples_study *study,
			 const struct ct_style *style, size_t rows)
{
	static const struct ct_column columns[] = {
	    {"kernel", 0, 12, 1},        {"samples", 1, 0, 0},      {"share", 1, 0, 0},
	    {"nothing issued", 1, 0, 0}, {"waiting for", 0, 16, 1},
	};
	struct ct_table *table;
	int err = ct_table_begin(&table, out, "Kernels", columns,
				 sizeof(columns) / sizeof(*columns), style);

	for (size_t i = 0; i < study->kernel_count && i < rows && err == 0; i++) {
		const struct ct_samples_kernel *kernel = &study->kernels[i];

		ct_table_name(table, kernel->name);
		ct_table_number(table, kernel->sum.samples);
		put_share(table, (double)kernel->sum.samples, (double)study->weights.total);
		put_share(table, (double)kernel->sum.latency, (double)kernel->sum.samples);
		put_reasons(table, study, &kernel->sum);
	}
	return err < 0 ? err : ct_table_finish(table, out, style, study->kernel_count, rows);
}

static int write_lines(FILE *out, const struct ct_samples_study *study,
		       const struct ct_samples_kernel *kernel, const struct ct_style *style,
		       size_t rows)
{
	static const struct ct_column columns[] = {
	    {"line", 0, 16, 0},          {"samples", 1, 0, 0},    {"share", 1, 0, 0},
	    {"nothing issued", 1, 0, 0}, {"waited for", 1, 0, 0}, {"waiting for", 0, 16, 1},
	};
	struct ct_table *table;
	char title[512], place[1024];
	int err;

	snprintf(title, sizeof(title), "Lines of %.480s", kernel->name);
	err =
	    ct_table_begin(&table, out, title, columns, sizeof(columns) / sizeof(*columns), style);
	for (size_t i = 0; i < kernel->line_count && i < rows && err == 0; i++) {
		const struct ct_samples_line *line = &kernel->lines[i];

		snprintf(place, sizeof(place), "%s:%u", line->file, line->line);
		ct_table_text(table, line->line ? place : "not known");
		ct_table_number(table, line->sum.samples);
		put_share(table, (double)line->sum.samples, (double)kernel->sum.samples);
		put_share(table, (double)line->sum.latency, (double)line->sum.samples);
		put_share(table, line->waited, (double)kernel->sum.samples);
		put_reasons(table, study, &line->sum);
	}
	return err < 0 ? err : ct_table_finish(table, out, style, kernel->line_count, rows);
}

static void write_head(FILE *out, const struct ct_samples_study *study)
{
	const struct ct_sampled_facts *facts = &study->facts;
	char buffers[4][CT_NUMBER_BYTES];

	fprintf(out, "%s samples", ct_number(study->weights.total, buffers[0]));
	if (!facts->is_concurrent)
		fprintf(out, " of %s launches", ct_number(facts->launches, buffers[1]));
	fprintf(out, ", one every %s cycles of an SM", ct_number(facts->period_min, buffers[2]));
	if (facts->period_max != facts->period_min)
		fprintf(out, " or more");
	fprintf(out, "; %s dropped\n", ct_number(facts->dropped, buffers[3]));
	if (facts->is_concurrent)
		fprintf(out, "Kernels ran at the same time: samples are of functions, not of "
			     "launches.\n");
	if (study->weights.unplaced)
		fprintf(out,
			"%.1f %% of the samples have no line: compile with -g1 (or more), or "
			"-lineinfo with nvcc.\n",
			100 * (double)study->weights.unplaced / (double)study->weights.total);
	if (facts->missing_cubins)
		fprintf(out, "%zu of %zu cubins are not in the trace.\n", facts->missing_cubins,
			facts->cubins);
	if (facts->damaged_cubins)
		fprintf(out, "%zu of %zu cubins have line tables that cannot be read.\n",
			facts->damaged_cubins, facts->cubins);
	if (*facts->missing)
		fprintf(out, "Not all is sampled: %s.\n", facts->missing);
}

int ct_samples_write(FILE *out, const struct ct_samples_study *study, const struct ct_style *style,
		     size_t rows)
{
	int err;

	write_head(out, study);
	err = write_kernels(out, study, style, rows);
	for (size_t i = 0; i < study->kernel_count && i < rows && err == 0; i++)
		err = write_lines(out, study, &study->kernels[i], style, rows);
	return err;
}
