/* SPDX-License-Identifier: Apache-2.0 */
/* One JSON object with an array of objects for each table, written row by row. */
#include "base/json.h"
#include "postproc/tables/sink.h"
#include <errno.h>
#include <stdlib.h>

#define REAL_DIGITS 17

/* A row is open until the next one begins, as rows that belong to it may follow. */
struct state {
	struct ct_json json;
	bool has_row;
	size_t begun; /* arrays of children, in it */
};

static int begin(struct ct_table_sink *sink)
{
	struct state *state = calloc(1, sizeof(*state));

	if (!state)
		return -ENOMEM;
	ct_json_init(&state->json, sink->out, 0, CT_JSON_UTF8);
	ct_json_open_object(&state->json, NULL, CT_JSON_LINES);
	for (const char *const *text = sink->head; text && text[0]; text += 2)
		ct_json_put_text(&state->json, text[0], text[1]);
	sink->state = state;
	return 0;
}

static int begin_table(struct ct_table_sink *sink)
{
	struct state *state = sink->state;

	state->has_row = false;
	ct_json_open_array(&state->json, sink->table->name, CT_JSON_LINES);
	return 0;
}

static void write_cell(struct ct_json *json, const struct ct_column_def *column,
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

static size_t count_children(const struct ct_table_sink *sink)
{
	const struct ct_table_child *child = sink->table->child;
	size_t count = 0;

	while (child && child[count].key)
		count++;
	return count;
}

/* So many arrays of children are begun then, all but the last of them ended. */
static void begin_children(struct ct_table_sink *sink, size_t count)
{
	struct state *state = sink->state;

	for (; state->begun < count; state->begun++) {
		if (state->begun)
			ct_json_close(&state->json);
		ct_json_open_array(&state->json, sink->table->child[state->begun].key,
				   CT_JSON_INLINE);
	}
}

static void end_row(struct ct_table_sink *sink)
{
	struct state *state = sink->state;

	if (!state->has_row)
		return;
	begin_children(sink, count_children(sink));
	if (state->begun)
		ct_json_close(&state->json);
	ct_json_close(&state->json);
	state->has_row = false;
}

static int row(struct ct_table_sink *sink, const union ct_cell *cell)
{
	struct state *state = sink->state;

	end_row(sink);
	ct_json_open_object(&state->json, NULL, CT_JSON_INLINE);
	for (size_t i = 0; i < sink->table->columns; i++)
		write_cell(&state->json, &sink->table->column[i], &cell[i]);
	state->has_row = true;
	state->begun = 0;
	return !ferror(sink->out) ? 0 : errno ? -errno : -EIO;
}

static int child_row(struct ct_table_sink *sink, size_t child, const struct ct_table_def *table,
		     const union ct_cell *cell)
{
	struct state *state = sink->state;

	begin_children(sink, child + 1);
	ct_json_open_object(&state->json, NULL, CT_JSON_INLINE);
	for (size_t i = 0; i < table->columns; i++)
		write_cell(&state->json, &table->column[i], &cell[i]);
	ct_json_close(&state->json);
	return 0;
}

static int end_table(struct ct_table_sink *sink)
{
	struct state *state = sink->state;

	end_row(sink);
	ct_json_close(&state->json);
	return 0;
}

static int end(struct ct_table_sink *sink)
{
	struct state *state = sink->state;

	ct_json_close(&state->json);
	fputc('\n', sink->out);
	return ct_json_error(&state->json);
}

static void close_json(struct ct_table_sink *sink)
{
	free(sink->state);
}

const struct ct_table_format ct_format_json = {
    .name = "json",
    .begin = begin,
    .begin_table = begin_table,
    .row = row,
    .child = child_row,
    .end_table = end_table,
    .end = end,
    .close = close_json,
};
