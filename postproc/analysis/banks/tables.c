/* SPDX-License-Identifier: Apache-2.0 */
/* The table of bank conflicts: what requests of each line take. */
#include "postproc/analysis/banks/tables.h"
#include "postproc/analysis/banks/lines.h"
#include "postproc/facts/operation.h"
#include "postproc/tables/mean.h"
#include "postproc/tables/sink.h"

#include <stdio.h>

#define WAYS_BYTES 64u

struct row_bank_conflicts {
	uint64_t number;
	const struct ct_banks_line *line;
	const char *stride; /* NULL: nothing meets */
	char ways[WAYS_BYTES];
};

#define CT_DESCRIBED "postproc/analysis/banks/tables.def"
#include "postproc/tables/described.h"

/* "2 to 32", "4", "1" */
static void word_ways(const struct ct_banks_figures *f, char text[WAYS_BYTES])
{
	if (!f->most_ways)
		snprintf(text, WAYS_BYTES, "1");
	else if (f->least_ways == f->most_ways)
		snprintf(text, WAYS_BYTES, "%llu", (unsigned long long)f->most_ways);
	else
		snprintf(text, WAYS_BYTES, "%llu to %llu", (unsigned long long)f->least_ways,
			 (unsigned long long)f->most_ways);
}

static int rows_bank_conflicts(const void *from, struct ct_table_sink *sink)
{
	static const char *const stride[] = {[CT_BANKS_IRREGULAR] = "irregular",
					     [CT_BANKS_COLUMN] = "column",
					     [CT_BANKS_CONSTANT] = "constant"};
	const struct ct_banks_lines *lines = from;
	int err = 0;

	for (size_t i = 0; i < lines->count && err == 0; i++) {
		struct row_bank_conflicts row = {.number = i, .line = &lines->list[i]};

		if (ct_banks_line_excess(row.line))
			row.stride = stride[ct_banks_line_stride(row.line)];
		word_ways(&row.line->figures, row.ways);
		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static const struct ct_table_link of_sites[] = {{"unit, site", "sites", "unit, site"}, {0}};

const struct ct_table_def ct_bank_conflicts_table = {CT_TABLE_SHOWN(bank_conflicts, of_sites)};
