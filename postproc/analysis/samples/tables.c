/* SPDX-License-Identifier: Apache-2.0 */
/* The table of samples by line. */
#include "postproc/analysis/samples/tables.h"
#include "postproc/analysis/samples/samples.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define LINES_MAX 40u
#define PLACE_BYTES 512u

struct row_sample_lines {
	uint64_t number;
	const struct ct_samples_study *study;
	const struct ct_samples_kernel *kernel;
	const struct ct_samples_line *line;
	const char *reason; /* NULL: none */
	char place[PLACE_BYTES];
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/analysis/samples/tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/analysis/samples/tables.def"

static int put_line(struct ct_table_sink *sink, const struct ct_samples_study *study,
		    const struct ct_samples_kernel *kernel, const struct ct_samples_line *line)
{
	uint32_t top = ct_samples_top_reason(study, &line->sum);
	char reason[CT_REASON_BYTES];
	struct row_sample_lines row = {
	    .number = sink->given++, .study = study, .kernel = kernel, .line = line};

	if (line->line)
		snprintf(row.place, sizeof(row.place), "%.480s:%u", line->file, line->line);
	if (top != CT_WEIGHT_NONE)
		row.reason = ct_samples_reason_text(study->weights.reasons[top], reason);
	return ct_table_put_row(sink, &row);
}

/* The most samples first: of all kernels' lines the next one is taken, as of each they are sorted.
 */
static int rows_sample_lines(const void *from, struct ct_table_sink *sink)
{
	const struct ct_samples_study *study = from;
	size_t *next = calloc(study->kernel_count + 1, sizeof(*next));
	int err = next ? 0 : -ENOMEM;

	for (unsigned rows = 0; rows < LINES_MAX && err == 0; rows++) {
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

const struct ct_table_def ct_sample_lines_table = {CT_TABLE_SHOWN(sample_lines, NULL)};
