/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what every table holds, as Markdown. */
#include "postproc/tables/document.h"
#include "postproc/tables/sink.h"
#include <string.h>

/* "`a, b` → `table` (`a, b`)": columns, and those of the table that they lead to. */
static void write_links(FILE *out, const struct ct_table_link *link)
{
	for (; link && link->columns; link++)
		if (link->table)
			fprintf(out, " `%s` → `%s` (`%s`).", link->columns, link->table, link->key);
}

static void write_column(FILE *out, const struct ct_column_def *column)
{
	fprintf(out, "| `%s` | %s%s%s | %s | %s |\n", column->name,
		ct_column_type_text(column->type), column->flags & CT_COLUMN_KEY ? ", key" : "",
		column->flags & CT_COLUMN_OPTIONAL ? ", optional" : "", column->unit, column->help);
}

static void write_table(FILE *out, const struct ct_flat_table *flat,
			const struct ct_table_child *child)
{
	const struct ct_table_def *table = &flat->table;
	size_t length = strlen(table->help);

	fprintf(out, "\n### %s\n%s%s", table->name, table->help,
		length && table->help[length - 1] == '.' ? "" : ".");
	write_links(out, table->link);
	fprintf(out, "\n\n| column | type | unit | meaning |\n|---|---|---|---|\n");
	for (size_t c = 0; c < table->columns; c++)
		write_column(out, &table->column[c]);
	for (; child && child->key; child++)
		fprintf(out, "| `%s` | rows |  | of `%s`; in JSON alone |\n", child->key,
			child->table->name);
}

void ct_table_document(FILE *out, const struct ct_table_def *table)
{
	struct ct_flat_table flat;

	ct_table_flatten(&flat, table);
	write_table(out, &flat, table->child);
	for (size_t c = 0; table->child && table->child[c].key; c++) {
		ct_table_flatten_child(&flat, table, c);
		write_table(out, &flat, NULL);
	}
}
