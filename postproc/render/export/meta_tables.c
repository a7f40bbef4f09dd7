/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all columns. */
#include "postproc/render/export/tables.h"

struct row_schema {
	const struct ct_table_def *table;
	const struct ct_column_def *column;
	uint64_t position;
};

#define CT_DESCRIBED "postproc/render/export/meta_tables.def"
#include "postproc/tables/described.h"

static int put_columns(struct ct_table_sink *sink, const struct ct_table_def *table)
{
	int err = 0;

	for (size_t c = 0; c < table->columns && err == 0; c++) {
		const struct row_schema row = {table, &table->column[c], c + 1};

		err = ct_table_put_row(sink, &row);
	}
	return err;
}

static int rows_schema(const void *from, struct ct_table_sink *sink)
{
	struct ct_flat_table flat;
	int err = 0;

	(void)from;
	for (size_t t = 0; sink->tables[t] && err == 0; t++) {
		const struct ct_table_child *child = sink->tables[t]->child;

		ct_table_flatten(&flat, sink->tables[t]);
		err = put_columns(sink, &flat.table);
		for (size_t c = 0; child && child[c].key && err == 0; c++) {
			ct_table_flatten_child(&flat, sink->tables[t], c);
			err = put_columns(sink, &flat.table);
		}
	}
	return err;
}

CT_TABLE_OF(schema, CT_IS_ALWAYS, NULL, NULL);
