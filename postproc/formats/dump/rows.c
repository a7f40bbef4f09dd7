/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the tables: by the layouts of trace/codec/table.h alone. */
#include "postproc/formats/dump/rows.h"
#include "base/csv.h"
#include "postproc/formats/dump/fields.h"
#include "trace/codec/table.h"
#include <errno.h>
#include <inttypes.h>

struct lines {
	const struct ct_trace *trace;
	FILE *out;
	const struct ct_table_layout *layout;
	enum ct_rows_form form;
	bool with_part;
	uint32_t part;
};

static bool is_shown(const struct ct_table_column *column)
{
	return column->field.type != CT_FIELD_RESERVED;
}

static void write_text(const struct lines *lines, const char *row, uint64_t number)
{
	if (lines->with_part)
		fprintf(lines->out, "%" PRIu32 " ", lines->part);
	fprintf(lines->out, "%s %" PRIu64, lines->layout->name, number);
	for (uint32_t i = 0; i < lines->layout->column_count; i++) {
		const struct ct_table_column *column = &lines->layout->columns[i];

		if (!is_shown(column))
			continue;
		fprintf(lines->out, " %s=", column->field.name);
		ct_field_write(lines->out, lines->trace, lines->part, &column->field,
			       ct_column_number(row, column));
	}
}

static void write_csv_head(const struct lines *lines)
{
	fputs(lines->with_part ? "part,row" : "row", lines->out);
	for (uint32_t i = 0; i < lines->layout->column_count; i++)
		if (is_shown(&lines->layout->columns[i]))
			fprintf(lines->out, ",%s", lines->layout->columns[i].field.name);
	fputc('\n', lines->out);
}

/* Numbers as they are, that values and flags have names is for people. */
static void write_csv(const struct lines *lines, const char *row, uint64_t number)
{
	if (lines->with_part)
		fprintf(lines->out, "%" PRIu32 ",", lines->part);
	fprintf(lines->out, "%" PRIu64, number);
	for (uint32_t i = 0; i < lines->layout->column_count; i++) {
		const struct ct_table_column *column = &lines->layout->columns[i];
		uint64_t value = ct_column_number(row, column);

		if (!is_shown(column))
			continue;
		fputc(',', lines->out);
		if (column->field.type == CT_FIELD_STR)
			ct_csv_text(lines->out,
				    ct_trace_string(lines->trace, lines->part, (uint32_t)value));
		else if (column->field.type == CT_FIELD_I32)
			fprintf(lines->out, "%" PRId64, (int64_t)value);
		else
			fprintf(lines->out, "%" PRIu64, value);
	}
}

static void put_object(const struct lines *lines, const char *row, uint64_t number)
{
	struct ct_json json;

	ct_json_init(&json, lines->out, 0, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_INLINE);
	ct_json_put_text(&json, "table", lines->layout->name);
	if (lines->with_part)
		ct_json_put_number(&json, "part", lines->part);
	ct_json_put_number(&json, "row", number);
	for (uint32_t i = 0; i < lines->layout->column_count; i++) {
		const struct ct_table_column *column = &lines->layout->columns[i];

		if (is_shown(column))
			ct_field_put(&json, lines->trace, lines->part, &column->field,
				     ct_column_number(row, column));
	}
	ct_json_close(&json);
}

static int dump_part(const struct lines *lines, struct ct_trace *trace, uint64_t *left)
{
	const char *rows;
	size_t count;
	int err =
	    ct_trace_rows(trace, lines->part, lines->layout->number, (const void **)&rows, &count);

	for (size_t i = 0; i < count && err == 0 && *left; i++, --*left) {
		const char *row = rows + i * lines->layout->row_bytes;

		if (lines->form == CT_ROWS_JSON)
			put_object(lines, row, i + 1);
		else if (lines->form == CT_ROWS_CSV)
			write_csv(lines, row, i + 1);
		else
			write_text(lines, row, i + 1);
		fputc('\n', lines->out);
		err = ferror(lines->out) ? -EIO : 0;
	}
	return err;
}

int ct_dump_rows(struct ct_trace *trace, FILE *out, enum ct_table_number table,
		 enum ct_rows_form form, uint64_t *left)
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(trace, &processes);
	struct lines lines = {trace, out, ct_table_layout(table), form, parts > 1, 0};
	int err = 0;

	if (form == CT_ROWS_CSV)
		write_csv_head(&lines);
	for (size_t i = 0; i < parts && err == 0; i++) {
		lines.part = processes[i].part;
		err = dump_part(&lines, trace, left);
	}
	return err;
}
