/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as a table, with the places that each is about. */
#include "postproc/tables/findings.h"
#include "postproc/tables/sink.h"

#include <math.h>
#include <string.h>

struct row_findings {
	uint64_t number;
	const struct ct_finding *finding;
};

struct row_place {
	const struct ct_finding *finding;
	size_t position;
};

#define row_finding_lines row_place
#define row_finding_objects row_place
#define row_finding_kernels row_place
#define row_finding_launches row_place

static double amount_value(const struct ct_amount *amount)
{
	if (!amount->unit)
		return NAN;
	return strcmp(amount->unit, "%") != 0 ? amount->value : amount->value / 100;
}

static const char *amount_unit(const struct ct_amount *amount)
{
	if (!amount->unit)
		return NULL;
	return !strcmp(amount->unit, "B")   ? "bytes"
	       : !strcmp(amount->unit, "s") ? "seconds"
	       : !strcmp(amount->unit, "%") ? "share"
					    : amount->unit;
}

#define CT_DESCRIBED "postproc/tables/findings.def"
#include "postproc/tables/described.h"

enum { LINES, OBJECTS, KERNELS, LAUNCHES };

static int put_places(struct ct_table_sink *sink, const struct ct_finding *finding, size_t child,
		      size_t count)
{
	int err = 0;

	for (size_t i = 0; i < count && err == 0; i++)
		err = ct_table_put_child(sink, child, &(struct row_place){finding, i});
	return err;
}

static int rows_findings(const void *from, struct ct_table_sink *sink)
{
	const struct ct_findings *findings = from;
	int err = 0;

	for (size_t i = 0; i < findings->count && err == 0; i++) {
		const struct ct_finding *finding = &findings->list[i];

		err = ct_table_put_row(sink, &(struct row_findings){i, finding});
		if (err == 0)
			err = put_places(sink, finding, LINES, finding->sites);
		if (err == 0)
			err = put_places(sink, finding, OBJECTS, finding->objects);
		if (err == 0)
			err = put_places(sink, finding, KERNELS, finding->kernels);
		if (err == 0)
			err = put_places(sink, finding, LAUNCHES, finding->launches);
	}
	return err;
}

/* Rows of a child come with those of its table. */
#define rows_finding_lines NULL
#define rows_finding_objects NULL
#define rows_finding_kernels NULL
#define rows_finding_launches NULL

static const struct ct_table_def lines = {CT_TABLE_PARTS(finding_lines, NULL)};
static const struct ct_table_def objects = {CT_TABLE_PARTS(finding_objects, NULL)};
static const struct ct_table_def kernels = {CT_TABLE_PARTS(finding_kernels, NULL)};
static const struct ct_table_def launches = {CT_TABLE_PARTS(finding_launches, NULL)};

static const struct ct_table_child of_finding[] = {[LINES] = {"lines", &lines},
						   [OBJECTS] = {"objects", &objects},
						   [KERNELS] = {"kernels", &kernels},
						   [LAUNCHES] = {"launches", &launches},
						   {NULL, NULL}};

const struct ct_table_def ct_findings_table = {CT_TABLE_PARTS(findings, NULL), .child = of_finding};
