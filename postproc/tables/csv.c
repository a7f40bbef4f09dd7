/* SPDX-License-Identifier: Apache-2.0 */
/* A directory with a CSV file for each table (RFC 4180: CRLF, quotes doubled). */
#include "base/csv.h"
#include "postproc/tables/output.h"
#include "postproc/tables/sink.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct csv {
	FILE *file;
};

static int begin(struct ct_table_sink *sink)
{
	sink->state = calloc(1, sizeof(struct csv));
	return sink->state ? 0 : -ENOMEM;
}

static int begin_table(struct ct_table_sink *sink)
{
	struct csv *csv = sink->state;
	char name[64];

	snprintf(name, sizeof(name), "%s.csv", sink->table->name);
	csv->file = ct_output_file(sink->output, name);
	if (!csv->file)
		return -errno;
	for (size_t i = 0; i < sink->table->columns; i++)
		fprintf(csv->file, "%s%s", i ? "," : "", sink->table->column[i].name);
	fputs("\r\n", csv->file);
	return 0;
}

static void write_cell(FILE *out, const struct ct_column_def *column, const union ct_cell *cell)
{
	if (ct_cell_is_missing(column, cell))
		return;
	switch (column->type) {
	case CT_COLUMN_REAL:
		fprintf(out, "%.17g", cell->real);
		break;
	case CT_COLUMN_TEXT:
		ct_csv_text(out, cell->text);
		break;
	case CT_COLUMN_ADDRESS:
		fprintf(out, "0x%llx", (unsigned long long)cell->number);
		break;
	default:
		fprintf(out, "%llu", (unsigned long long)cell->number);
	}
}

static int row(struct ct_table_sink *sink, const union ct_cell *cell)
{
	struct csv *csv = sink->state;

	for (size_t i = 0; i < sink->table->columns; i++) {
		if (i)
			fputc(',', csv->file);
		write_cell(csv->file, &sink->table->column[i], &cell[i]);
	}
	fputs("\r\n", csv->file);
	return !ferror(csv->file) ? 0 : errno ? -errno : -EIO;
}

static int end_table(struct ct_table_sink *sink)
{
	struct csv *csv = sink->state;
	int failed = ferror(csv->file);
	int err = fclose(csv->file) != 0 ? -errno : failed ? -EIO : 0;

	csv->file = NULL;
	return err;
}

static int end(struct ct_table_sink *sink)
{
	(void)sink;
	return 0;
}

static void close_csv(struct ct_table_sink *sink)
{
	struct csv *csv = sink->state;

	if (csv && csv->file)
		fclose(csv->file);
	free(csv);
}

const struct ct_table_format ct_format_csv = {
    .name = "csv",
    .is_directory = true,
    .begin = begin,
    .begin_table = begin_table,
    .row = row,
    .end_table = end_table,
    .end = end,
    .close = close_csv,
};
