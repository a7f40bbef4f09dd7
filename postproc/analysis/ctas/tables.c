/* SPDX-License-Identifier: Apache-2.0 */
/* The table of when CTAs ran. */
#include "postproc/analysis/ctas/tables.h"
#include "postproc/analysis/ctas/ctas.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <stdio.h>

#define PARTS 24u

struct row_cta_kernels {
	uint64_t number;
	const struct ct_ctas_kernel *k;
	char course[PARTS * 4 + 1];
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/analysis/ctas/tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/analysis/ctas/tables.def"

/* A block for each part of the time, as high as there are CTAs; none for less than a sixteenth. */
static void draw_course(char text[PARTS * 4 + 1], const struct ct_ctas_launch *launch)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	double resident[PARTS];
	size_t length = 0;

	ct_ctas_course(launch, resident, PARTS);
	for (size_t i = 0; i < PARTS; i++) {
		double eighths = launch->peak ? 8 * resident[i] / (double)launch->peak : 0;
		size_t block = (size_t)(eighths + 0.5);

		length += (size_t)snprintf(text + length, PARTS * 4 + 1 - length, "%s",
					   blocks[block < 8 ? block : 8]);
	}
}

static int rows_cta_kernels(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ctas *ctas = from;
	int err = 0;

	for (size_t i = 0; i < ctas->kernels && err == 0; i++) {
		struct row_cta_kernels row = {i, &ctas->kernel[i], ""};

		draw_course(row.course, &ctas->launch[row.k->longest]);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

const struct ct_table_def ct_cta_kernels_table = {CT_TABLE_SHOWN(cta_kernels, NULL)};
