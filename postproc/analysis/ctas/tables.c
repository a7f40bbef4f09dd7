/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of when CTAs ran. */
#include "postproc/analysis/ctas/tables.h"
#include "postproc/analysis/ctas/ctas.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define PARTS 24u

struct row_cta_kernels {
	uint64_t number;
	const struct ct_ctas_kernel *k;
	char course[PARTS * 4 + 1];
};

#define row_cta_launches ct_ctas_launch

struct row_cta_course {
	uint64_t position;
	const struct ct_ctas_launch *launch;
	double resident;
};

#define CT_DESCRIBED "postproc/analysis/ctas/tables.def"
#include "postproc/tables/described.h"

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

static int rows_cta_launches(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ctas *ctas = from;
	const struct ct_ctas_launch **list = ct_ctas_by_time(ctas);
	int err = list ? 0 : -ENOMEM;

	for (size_t i = 0; i < ctas->launches && err == 0; i++)
		err = ct_table_put_row(sink, list[i]);
	free(list);
	return err;
}

static int rows_cta_course(const void *from, struct ct_table_sink *sink)
{
	const struct ct_ctas *ctas = from;
	const struct ct_ctas_launch **list = ct_ctas_by_time(ctas);
	double resident[CT_CTAS_COURSE];
	int err = list ? 0 : -ENOMEM;

	if (err == 0 && ctas->launches)
		ct_ctas_course(list[0], resident, CT_CTAS_COURSE);
	for (size_t i = 0; ctas->launches && i < CT_CTAS_COURSE && err == 0; i++)
		err = ct_table_put_row(sink, &(struct row_cta_course){i, list[0], resident[i]});
	free(list);
	return err;
}

static const struct ct_table_link of_launch[] = {{"part, launch", "launches", "part, launch"}, {0}};

const struct ct_table_def ct_cta_launches_table = {CT_TABLE_SHOWN(cta_launches, of_launch)};
const struct ct_table_def ct_cta_course_table = {CT_TABLE_PARTS(cta_course, of_launch)};
const struct ct_table_def ct_cta_kernels_table = {CT_TABLE_SHOWN(cta_kernels, NULL)};
