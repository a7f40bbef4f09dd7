/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels, what changes would bring, their points in the roofline and its lines as tables. */
#include "postproc/analysis/model/tables.h"
#include "postproc/analysis/model/all.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/sink.h"

#include <math.h>

struct row_model_kernels {
	const struct ct_model_kernel *k;
	const struct ct_simulation *s; /* NULL: not simulated */
};

struct row_model_changes {
	uint64_t number;
	const struct ct_model_kernel *k;
	const struct ct_model_change *change;
};

struct row_model_points {
	uint64_t number;
	const struct ct_model_kernel *k;
	const struct ct_model_point *point;
};

struct row_model_ceilings {
	const struct ct_model_ceiling *ceiling;
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/analysis/model/tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/analysis/model/tables.def"

static int rows_model_kernels(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (size_t i = 0; i < list->kernels && err == 0; i++) {
		const struct ct_model_kernel *k = &list->kernel[i];
		const struct row_model_kernels row = {k, k->simulation.cycles > 0 ? &k->simulation
										  : NULL};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_model_changes(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (size_t i = 0; i < list->kernels; i++)
		for (uint32_t c = 0; c < list->kernel[i].changes && err == 0; c++) {
			const struct row_model_changes row = {sink->given++, &list->kernel[i],
							      &list->kernel[i].change[c]};

			err = ct_table_put_row(sink, &row);
		}
	return err;
}

static int rows_model_points(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (size_t i = 0; i < list->kernels; i++)
		for (uint32_t p = 0; p < CT_MODEL_POINTS && err == 0; p++) {
			const struct ct_model_kernel *k = &list->kernel[i];
			const struct row_model_points row = {sink->given, k, &k->point[p]};

			if (!(k->point[p].bytes > 0 && k->flops > 0))
				continue;
			sink->given++;
			err = ct_table_put_row(sink, &row);
		}
	return err;
}

static int rows_model_ceilings(const void *from, struct ct_table_sink *sink)
{
	const struct ct_model_all *list = from;
	int err = 0;

	for (uint32_t i = 0; list->kernels && i < CT_MODEL_CEILINGS && err == 0; i++) {
		const struct row_model_ceilings row = {&list->kernel[0].ceiling[i]};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

const struct ct_table_def ct_model_kernels_table = {CT_TABLE_SHOWN(model_kernels, NULL)};
const struct ct_table_def ct_model_changes_table = {CT_TABLE_SHOWN(model_changes, NULL)};
const struct ct_table_def ct_model_points_table = {CT_TABLE_SHOWN(model_points, NULL)};
const struct ct_table_def ct_model_ceilings_table = {CT_TABLE_SHOWN(model_ceilings, NULL)};
