/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of samples by kernel and line. */
#include "postproc/analysis/samples/tables.h"
#include "postproc/analysis/samples/samples.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define LINES_MAX 40u
#define PLACE_BYTES 512u
#define WAITS_BYTES 256u

struct row_sample_lines {
	uint64_t number;
	const struct ct_samples_study *study;
	const struct ct_samples_kernel *kernel;
	const struct ct_samples_line *line;
	const char *reason; /* NULL: none */
	char place[PLACE_BYTES], waits[WAITS_BYTES];
};

#define row_sample_totals ct_samples_study

struct row_sample_kernels {
	uint64_t number;
	const struct ct_samples_study *study;
	const struct ct_samples_kernel *kernel;
	char waits[WAITS_BYTES];
};

#define row_sample_kernel_reasons row_reason
#define row_sample_line_reasons row_reason
struct row_reason {
	const char *reason;
	uint64_t samples;
};

#define CT_DESCRIBED "postproc/analysis/samples/tables.def"
#include "postproc/tables/described.h"

/* "long scoreboard 95.2 %, wait 3.0 %": those that most warps waited for. */
static void write_waits(const struct ct_samples_study *study, const struct ct_samples_sum *sum,
			char text[WAITS_BYTES])
{
	char name[CT_REASON_BYTES];
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
		    text + length, WAITS_BYTES - length, "%s%s %.1f %%", shown ? ", " : "",
		    ct_samples_reason_text(study->weights.reasons[best], name),
		    100 * (double)sum->by_reason[best] / (double)sum->samples);
	}
}

static int put_reasons(struct ct_table_sink *sink, const struct ct_samples_study *study,
		       const struct ct_samples_sum *sum)
{
	int err = 0;

	for (size_t i = 0; i < study->weights.reason_count && err == 0; i++)
		if (sum->by_reason[i])
			err = ct_table_put_child(
			    sink, 0,
			    &(struct row_reason){study->weights.reasons[i], sum->by_reason[i]});
	return err;
}

static int rows_sample_totals(const void *from, struct ct_table_sink *sink)
{
	return ct_table_put_row(sink, from);
}

static int rows_sample_kernels(const void *from, struct ct_table_sink *sink)
{
	const struct ct_samples_study *study = from;
	int err = 0;

	for (size_t i = 0; i < study->kernel_count && err == 0; i++) {
		struct row_sample_kernels row = {i, study, &study->kernels[i], ""};

		write_waits(study, &row.kernel->sum, row.waits);
		err = ct_table_put_row(sink, &row);
		if (err == 0)
			err = put_reasons(sink, study, &row.kernel->sum);
	}
	return err;
}

static int put_line(struct ct_table_sink *sink, const struct ct_samples_study *study,
		    const struct ct_samples_kernel *kernel, const struct ct_samples_line *line)
{
	uint32_t top = ct_samples_top_reason(study, &line->sum);
	char reason[CT_REASON_BYTES];
	struct row_sample_lines row = {
	    .number = sink->given++, .study = study, .kernel = kernel, .line = line};
	int err;

	if (line->line)
		snprintf(row.place, sizeof(row.place), "%.480s:%u", line->file, line->line);
	if (top != CT_WEIGHT_NONE)
		row.reason = ct_samples_reason_text(study->weights.reasons[top], reason);
	write_waits(study, &line->sum, row.waits);
	err = ct_table_put_row(sink, &row);
	return err == 0 ? put_reasons(sink, study, &line->sum) : err;
}

/* The most samples first: of all kernels' lines the next one is taken, as of each they are sorted.
 */
static int rows_sample_lines(const void *from, struct ct_table_sink *sink)
{
	const struct ct_samples_study *study = from;
	size_t *next = calloc(study->kernel_count + 1, sizeof(*next));
	int err = next ? 0 : -ENOMEM;

	for (size_t rows = 0; (study->lists_all || rows < LINES_MAX) && err == 0; rows++) {
		size_t best = study->kernel_count;

		for (size_t i = 0; i < study->kernel_count; i++)
			if (next[i] < study->kernels[i].line_count &&
			    (best == study->kernel_count ||
			     study->kernels[i].lines[next[i]].sum.samples >
				 study->kernels[best].lines[next[best]].sum.samples))
				best = i;
		if (best == study->kernel_count)
			break;
		err = put_line(sink, study, &study->kernels[best],
			       &study->kernels[best].lines[next[best]++]);
	}
	free(next);
	return err;
}

/* Rows of a child come with those of its table. */
#define rows_sample_kernel_reasons NULL
#define rows_sample_line_reasons NULL
static const struct ct_table_def kernel_reasons = {CT_TABLE_PARTS(sample_kernel_reasons, NULL)};
static const struct ct_table_def line_reasons = {CT_TABLE_PARTS(sample_line_reasons, NULL)};
static const struct ct_table_child of_kernel[] = {{"reasons", &kernel_reasons}, {NULL, NULL}};
static const struct ct_table_child of_line[] = {{"reasons", &line_reasons}, {NULL, NULL}};

const struct ct_table_def ct_sample_totals_table = {CT_TABLE_PARTS(sample_totals, NULL)};
const struct ct_table_def ct_sample_kernels_table = {CT_TABLE_SHOWN(sample_kernels, NULL),
						     .child = of_kernel};
const struct ct_table_def ct_sample_lines_table = {CT_TABLE_SHOWN(sample_lines, NULL),
						   .child = of_line};
