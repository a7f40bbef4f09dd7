/* SPDX-License-Identifier: Apache-2.0 */
/* One JSON object with an array of objects for each table, written row by row. */
#include "base/json.h"
#include "postproc/render/export/tables.h"
#include <errno.h>
#include <stdlib.h>

#define REAL_DIGITS 17

static int begin(struct ct_export_sink *sink)
{
	FILE *file = ct_output_file(sink->output, NULL);
	struct ct_json *json = file ? malloc(sizeof(*json)) : NULL;

	if (!file)
		return -errno;
	if (!json) {
		fclose(file);
		return -ENOMEM;
	}
	ct_json_init(json, file, 0, CT_JSON_UTF8);
	ct_json_open_object(json, NULL, CT_JSON_LINES);
	sink->state = json;
	return 0;
}

static int begin_table(struct ct_export_sink *sink)
{
	ct_json_open_array(sink->state, sink->table->name, CT_JSON_LINES);
	return 0;
}

static void write_cell(struct ct_json *json, const struct ct_export_column *column,
		       const union ct_cell *cell)
{
	if (ct_cell_is_missing(column, cell))
		ct_json_put_null(json, column->name);
	else if (column->type == CT_COLUMN_REAL)
		ct_json_put_real(json, column->name, cell->real, REAL_DIGITS);
	else if (column->type == CT_COLUMN_BOOL)
		ct_json_put_bool(json, column->name, cell->number);
	else if (column->type == CT_COLUMN_TEXT)
		ct_json_put_text(json, column->name, cell->text);
	else if (column->type == CT_COLUMN_ADDRESS)
		ct_json_put_address(json, column->name, cell->number);
	else
		ct_json_put_number(json, column->name, cell->number);
}

static int row(struct ct_export_sink *sink, const union ct_cell *cell)
{
	struct ct_json *json = sink->state;

	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	for (size_t i = 0; i < sink->table->columns; i++)
		write_cell(json, &sink->table->column[i], &cell[i]);
	ct_json_close(json);
	return !ferror(json->out) ? 0 : errno ? -errno : -EIO;
}

static int end_table(struct ct_export_sink *sink)
{
	ct_json_close(sink->state);
	return 0;
}

static int end(struct ct_export_sink *sink)
{
	struct ct_json *json = sink->state;
	FILE *file = json->out;
	int err;

	ct_json_close(json);
	fputc('\n', file);
	err = ct_json_error(json);
	free(json);
	sink->state = NULL;
	return fclose(file) != 0 ? -errno : err;
}

static void close_json(struct ct_export_sink *sink)
{
	struct ct_json *json = sink->state;

	if (json)
		fclose(json->out);
	free(json);
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
