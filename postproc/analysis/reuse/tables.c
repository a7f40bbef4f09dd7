/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of distances of reuse: what memories of some sizes would have to fetch. */
#include "postproc/analysis/reuse/tables.h"
#include "postproc/analysis/reuse/analysis.h"
#include "postproc/tables/sink.h"

#include <math.h>

#define SHOWN_SIZE 2u                                     /* lines of 128 bytes */
#define ERROR_LINES(size) (exp2(18 - 5) / (1u << (size))) /* of 256 KiB */
#define LINES_LOG2_MAX 40

struct row_reuse {
	uint64_t number;
	const char *kernel, *object; /* object NULL: of the kernel */
	const struct ct_reuse_curve *curve;
};

struct row_reuse_curves {
	uint64_t number, sampled;
	const char *kernel, *object;
	const struct ct_reuse_curve *curve;
	uint32_t size;
	double error;
};

struct row_reuse_transfers {
	uint64_t lines;
	double cold, warm;
};

/* Returns what such a memory serves of the references. */
static double hits(const struct ct_reuse_curve *curve, uint32_t log2)
{
	double lines = exp2(log2) / CT_REUSE_SIZE_BYTES(SHOWN_SIZE);

	return curve->references
		   ? 1 - ct_reuse_transfers(curve, lines, false) / (double)curve->references
		   : NAN;
}

static double exponent(const struct ct_reuse_curve *curve)
{
	double exponent;

	return ct_reuse_exponent(curve, &exponent) ? exponent : NAN;
}

#define CT_DESCRIBED "postproc/analysis/reuse/tables.def"
#include "postproc/tables/described.h"

static const char *object_of(const struct ct_reuse_results *results, const struct ct_reuse_row *row)
{
	const struct ct_object_info *object = results->object[row->group];

	if (!object)
		return "unknown";
	return *object->name ? object->name : "an object without a name";
}

/* Each kernel, then its objects. */
static int put_rows(const struct ct_reuse_results *results, struct ct_table_sink *sink,
		    int (*put)(struct ct_table_sink *sink, const struct ct_reuse_results *results,
			       uint32_t kernel, const char *object,
			       const struct ct_reuse_curve *curve))
{
	uint32_t kernel = UINT32_MAX;
	int err = 0;

	for (size_t i = 0; i < results->rows && err == 0; i++) {
		const struct ct_reuse_row *row = &results->row[i];

		if (row->kernel != kernel)
			err = put(sink, results, row->kernel, NULL,
				  results->kernel[row->kernel].curve);
		kernel = row->kernel;
		if (err == 0)
			err = put(sink, results, kernel, object_of(results, row), row->curve);
	}
	return err;
}

static int put_reuse(struct ct_table_sink *sink, const struct ct_reuse_results *results,
		     uint32_t kernel, const char *object, const struct ct_reuse_curve *curve)
{
	const struct row_reuse row = {sink->given++, results->kernels.list[kernel].name, object,
				      &curve[SHOWN_SIZE]};

	return ct_table_put_row(sink, &row);
}

static int put_transfers(struct ct_table_sink *sink, const struct ct_reuse_curve *curve)
{
	double last = -1;
	int err = 0;

	for (int log2 = 0; log2 <= LINES_LOG2_MAX && err == 0; log2++) {
		const struct row_reuse_transfers row = {
		    .lines = UINT64_C(1) << log2,
		    .cold = ct_reuse_transfers(curve, exp2(log2), false),
		    .warm = ct_reuse_transfers(curve, exp2(log2), true),
		};

		if (log2 && row.warm == last && row.warm <= (double)curve->cold)
			break;
		last = row.warm;
		err = ct_table_put_child(sink, 0, &row);
	}
	return err;
}

static int put_curves(struct ct_table_sink *sink, const struct ct_reuse_results *results,
		      uint32_t kernel, const char *object, const struct ct_reuse_curve *curve)
{
	int err = 0;

	for (uint32_t size = 0; size < CT_REUSE_SIZES && err == 0; size++) {
		const struct row_reuse_curves row = {
		    .number = sink->given++,
		    .sampled = UINT64_C(1) << results->sampled[size],
		    .kernel = results->kernels.list[kernel].name,
		    .object = object,
		    .curve = &curve[size],
		    .size = size,
		    .error = object
				 ? NAN
				 : ct_reuse_error(results, kernel, size, ERROR_LINES(size), false),
		};

		err = ct_table_put_row(sink, &row);
		if (err == 0)
			err = put_transfers(sink, &curve[size]);
	}
	return err;
}

static int rows_reuse(const void *from, struct ct_table_sink *sink)
{
	return put_rows(from, sink, put_reuse);
}

static int rows_reuse_curves(const void *from, struct ct_table_sink *sink)
{
	return put_rows(from, sink, put_curves);
}

#define rows_reuse_transfers NULL
static const struct ct_table_def transfers = {CT_TABLE_PARTS(reuse_transfers, NULL)};
static const struct ct_table_child of_curve[] = {{"transfers", &transfers}, {NULL, NULL}};

const struct ct_table_def ct_reuse_table = {CT_TABLE_SHOWN(reuse, NULL)};
const struct ct_table_def ct_reuse_curves_table = {CT_TABLE_PARTS(reuse_curves, NULL),
						   .child = of_curve};
