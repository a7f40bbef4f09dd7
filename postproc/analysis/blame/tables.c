/* SPDX-License-Identifier: Apache-2.0 */
/* The table of blame: variables that most flows into, first. */
#include "postproc/analysis/blame/tables.h"
#include "postproc/analysis/blame/blame.h"
#include "postproc/facts/source_name.h"
#include "postproc/tables/describe.h"
#include "postproc/tables/sink.h"

#include <errno.h>
#include <stdlib.h>

#define ROWS_MAX 200u
#define SHARE_MIN 0.01 /* of all weight: what is shown */

struct row_blame_variables {
	uint64_t number;
	const struct ct_blame_variable *v;
	const char *function;
	double total;
};

#define CT_DESCRIBE_COLUMNS
#include "postproc/tables/describe.h"

#include "postproc/analysis/blame/tables.def"
#define CT_DESCRIBE_FILL
#include "postproc/tables/describe.h"

#include "postproc/analysis/blame/tables.def"

static int by_share(const void *a, const void *b)
{
	const struct ct_blame_variable *x = *(const struct ct_blame_variable *const *)a;
	const struct ct_blame_variable *y = *(const struct ct_blame_variable *const *)b;

	if (x->inclusive != y->inclusive)
		return x->inclusive > y->inclusive ? -1 : 1;
	return (x > y) - (x < y);
}

static int put_variable(struct ct_table_sink *sink, const struct ct_blame *blame,
			const struct ct_blame_variable *v)
{
	char *function = ct_source_name(v->function);
	const struct row_blame_variables row = {sink->given++, v, function ? function : v->function,
						blame->total};
	int err = ct_table_put_row(sink, &row);

	free(function);
	return err;
}

static int rows_blame_variables(const void *from, struct ct_table_sink *sink)
{
	const struct ct_blame *blame = from;
	const struct ct_blame_variable **sorted = malloc((blame->variables + 1) * sizeof(*sorted));
	int err = sorted ? 0 : -ENOMEM;

	for (size_t v = 0; sorted && v < blame->variables; v++)
		sorted[v] = &blame->variable[v];
	if (sorted)
		qsort(sorted, blame->variables, sizeof(*sorted), by_share);
	for (size_t v = 0; v < blame->variables && v < ROWS_MAX && err == 0; v++)
		if (sorted[v]->inclusive >= SHARE_MIN * blame->total && blame->total > 0)
			err = put_variable(sink, blame, sorted[v]);
	free(sorted);
	return err;
}

const struct ct_table_def ct_blame_variables_table = {CT_TABLE_SHOWN(blame_variables, NULL)};
