/* SPDX-License-Identifier: Apache-2.0 */
/* One JSON object with an array of objects for each table, written row by row. */
#include "postproc/render/base/json.h"
#include "postproc/render/export/tables.h"
#include <errno.h>
#include <stdlib.h>

static int begin(struct ct_export_sink *sink)
{
	FILE *file = ct_output_file(sink->output, NULL);

	if (!file)
		return -errno;
	sink->state = file;
	fputc('{', file);
	return 0;
}

static int begin_table(struct ct_export_sink *sink)
{
	fprintf(sink->state, "%s\n\"%s\": [", sink->table == sink->tables[0] ? "" : ",",
		sink->table->name);
	return 0;
}

static int write_text(FILE *out, const char *text)
{
	json_t *value = ct_json_text(text);
	int err = value && json_dumpf(value, out, JSON_ENCODE_ANY) == 0 ? 0 : -EIO;

	json_decref(value);
	return err;
}

static int write_cell(FILE *out, const struct ct_export_column *column, const union ct_cell *cell)
{
	if (ct_cell_is_missing(column, cell)) {
		fputs("null", out);
		return 0;
	}
	switch (column->type) {
	case CT_COLUMN_REAL:
		fprintf(out, "%.17g", cell->real);
		return 0;
	case CT_COLUMN_BOOL:
		fputs(cell->number ? "true" : "false", out);
		return 0;
	case CT_COLUMN_TEXT:
		return write_text(out, cell->text);
	case CT_COLUMN_ADDRESS: /* JSON readers lose integers beyond 2^53 */
		fprintf(out, "\"0x%llx\"", (unsigned long long)cell->number);
		return 0;
	default:
		fprintf(out, "%llu", (unsigned long long)cell->number);
		return 0;
	}
}

static int row(struct ct_export_sink *sink, const union ct_cell *cell)
{
	FILE *file = sink->state;
	int err = 0;

	fputs(sink->rows ? ",\n{" : "\n{", file);
	for (size_t i = 0; i < sink->table->columns && err == 0; i++) {
		fprintf(file, "%s\"%s\": ", i ? ", " : "", sink->table->column[i].name);
		err = write_cell(file, &sink->table->column[i], &cell[i]);
	}
	fputc('}', file);
	return !ferror(file) ? err : errno ? -errno : -EIO;
}

static int end_table(struct ct_export_sink *sink)
{
	fputs(sink->rows ? "\n]" : "]", sink->state);
	return 0;
}

static int end(struct ct_export_sink *sink)
{
	FILE *file = sink->state;
	int failed;

	fputs("\n}\n", file);
	failed = ferror(file);
	sink->state = NULL;
	return fclose(file) != 0 ? -errno : failed ? -EIO : 0;
}

static void close_json(struct ct_export_sink *sink)
{
	if (sink->state)
		fclose(sink->state);
}

const struct ct_export_format ct_format_json = {
    .name = "json",
    .begin = begin,
    .begin_table = begin_table,
    .row = row,
    .end_table = end_table,
    .end = end,
    .close = close_json,
};
