/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of what bounds kernels. */
#include "postproc/analysis/model/all.h"
#include "postproc/render/export/tables.h"

#include <math.h>

struct row_models {
	uint64_t kernel;
	const struct ct_model_kernel *k;
	const struct ct_simulation *s; /* NULL: not simulated */
};

struct row_model_points {
	uint64_t kernel;
	double flops;
	const struct ct_model_point *point;
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/render/export/describe.h"

#include "postproc/render/export/model_tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/render/export/describe.h"

#include "postproc/render/export/model_tables.def"

static int rows_models(struct ct_export *export, struct ct_export_sink *sink)
{
	int err = 0;

	for (size_t i = 0; i < export->model->kernels && err == 0; i++) {
		const struct ct_model_kernel *k = &export->model->kernel[i];
		const struct row_models row = {ct_export_kernel_of(&export->kernels, k->symbol), k,
					       k->simulation.cycles > 0 ? &k->simulation : NULL};

		err = ct_export_sink_row(sink, &row);
	}
	return err;
}

static int rows_model_points(struct ct_export *export, struct ct_export_sink *sink)
{
	int err = 0;

	for (size_t i = 0; i < export->model->kernels; i++) {
		const struct ct_model_kernel *k = &export->model->kernel[i];

		for (uint32_t p = 0; p < CT_MODEL_POINTS && err == 0; p++) {
			const struct row_model_points row = {
			    ct_export_kernel_of(&export->kernels, k->symbol), k->flops,
			    &k->point[p]};

			if (k->point[p].bytes > 0)
				err = ct_export_sink_row(sink, &row);
		}
	}
	return err;
}

static const struct ct_export_link of_kernels[] = {{"kernel", "kernels", "kernel"}, {0}};

CT_TABLE_OF(models, CT_NEEDS_MODEL | CT_IS_ON_REQUEST, of_kernels, NULL);
CT_TABLE_OF(model_points, CT_NEEDS_MODEL | CT_IS_ON_REQUEST, of_kernels, NULL);
