/* SPDX-License-Identifier: Apache-2.0 */
/* The way of rows from a table to a format. */
#include "postproc/tables/sink.h"
#include "base/error.h"
#include "postproc/facts/place.h"
#include "postproc/tables/utf8.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct ct_table_format *ct_table_format_of(const char *name)
{
#define LISTED(name) &ct_format_##name,
	static const struct ct_table_format *const formats[] = {CT_TABLE_FORMATS_EACH(LISTED)};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

bool ct_cell_is_missing(const struct ct_column_def *column, const union ct_cell *cell)
{
	if (!(column->flags & CT_COLUMN_OPTIONAL))
		return false;
	switch (column->type) {
	case CT_COLUMN_REAL:
		return isnan(cell->real);
	case CT_COLUMN_TEXT:
	case CT_COLUMN_NAME:
		return !cell->text || !*cell->text;
	case CT_COLUMN_LINE:
		return !cell->line.unit;
	case CT_COLUMN_PLACE:
		return !cell->place.file || !*cell->place.file || !cell->place.line;
	default:
		return cell->number == CT_MISSING;
	}
}

const char *ct_column_type_text(enum ct_column_type type)
{
	static const char *const text[CT_COLUMN_TYPES] = {
	    [CT_COLUMN_UINT] = "uint", [CT_COLUMN_ID] = "uint",   [CT_COLUMN_REAL] = "real",
	    [CT_COLUMN_BOOL] = "bool", [CT_COLUMN_TEXT] = "text", [CT_COLUMN_ADDRESS] = "address",
	    [CT_COLUMN_NAME] = "name", [CT_COLUMN_LINE] = "line", [CT_COLUMN_PLACE] = "place"};

	return text[type];
}

size_t ct_table_column_of(const struct ct_table_def *table, const char *name)
{
	for (size_t i = 0; i < table->columns; i++)
		if (!strcmp(table->column[i].name, name))
			return i;
	return SIZE_MAX;
}

bool ct_table_sink_has(const struct ct_table_sink *sink, const char *table)
{
	for (size_t i = 0; sink->tables && sink->tables[i]; i++)
		if (!strcmp(sink->tables[i]->name, table))
			return true;
	return false;
}

/* Programs see a line of the source so. */
static const struct ct_column_def line_column[] = {
    {"file", CT_COLUMN_TEXT, CT_COLUMN_OPTIONAL, NULL, "", "of the source, as it was compiled"},
    {"line", CT_COLUMN_UINT, CT_COLUMN_OPTIONAL, NULL, "", ""},
    {"column", CT_COLUMN_UINT, CT_COLUMN_OPTIONAL, NULL, "", ""},
    {"unit", CT_COLUMN_UINT, CT_COLUMN_OPTIONAL, NULL, "", ""},
    {"site", CT_COLUMN_UINT, CT_COLUMN_OPTIONAL, NULL, "",
     "the first of its copies by inlining and unrolling"},
};
#define LINE_COLUMNS (sizeof(line_column) / sizeof(*line_column))
#define PLACE_COLUMNS 2u

/* How many columns it is to programs. */
static size_t width_of(enum ct_column_type type)
{
	return type == CT_COLUMN_LINE ? LINE_COLUMNS : type == CT_COLUMN_PLACE ? PLACE_COLUMNS : 1;
}

/* A line or place of the source, from flat->column[at] on. */
static void add_line(struct ct_flat_table *flat, const struct ct_column_def *own, size_t at)
{
	bool is_plain = !strcmp(own->name, own->type == CT_COLUMN_PLACE ? "place" : "line");

	for (size_t c = 0; c < width_of(own->type); c++) {
		struct ct_column_def *column = &flat->column[at + c];

		*column = line_column[c];
		snprintf(flat->name[at + c], sizeof(flat->name[at + c]), "%s%s%s",
			 is_plain ? "" : own->name, is_plain ? "" : "_", line_column[c].name);
		column->name = flat->name[at + c];
		if (own->type == CT_COLUMN_PLACE && c == 0 && *own->help)
			column->help = own->help;
	}
}

static void add_columns(struct ct_flat_table *flat, const struct ct_table_def *table)
{
	size_t count = flat->table.columns;

	for (size_t i = 0; i < table->columns; i++) {
		const struct ct_column_def *own = &table->column[i];

		if (own->type == CT_COLUMN_LINE || own->type == CT_COLUMN_PLACE)
			add_line(flat, own, count);
		else
			flat->column[count] = *own;
		if (own->type == CT_COLUMN_NAME)
			flat->column[count].type = CT_COLUMN_TEXT;
		if (own->type == CT_COLUMN_ID)
			flat->column[count].type = CT_COLUMN_UINT;
		count += width_of(own->type);
	}
	flat->table.columns = count;
}

void ct_table_flatten(struct ct_flat_table *flat, const struct ct_table_def *table)
{
	flat->table = *table;
	flat->table.column = flat->column;
	flat->table.columns = 0;
	add_columns(flat, table);
}

static size_t count_keys(const struct ct_table_def *table)
{
	size_t count = 0;

	while (count < table->columns && table->column[count].flags & CT_COLUMN_KEY)
		count++;
	return count;
}

/* The table without its columns but for the keys of the one that it is a child of. */
static void begin_child(struct ct_flat_table *flat, const struct ct_table_def *table, size_t child)
{
	size_t keys = count_keys(table), used = 0;

	flat->table = *table->child[child].table;
	flat->table.column = flat->column;
	flat->table.columns = keys;
	memcpy(flat->column, table->column, keys * sizeof(*flat->column));
	for (size_t k = 0; k < keys; k++)
		used += (size_t)snprintf(flat->keys + used, sizeof(flat->keys) - used, "%s%s",
					 k ? ", " : "", table->column[k].name);
	flat->link[0] = (struct ct_table_link){flat->keys, table->name, flat->keys};
	flat->link[1] = (struct ct_table_link){.columns = NULL};
	flat->table.link = flat->link;
}

void ct_table_flatten_child(struct ct_flat_table *flat, const struct ct_table_def *table,
			    size_t child)
{
	begin_child(flat, table, child);
	add_columns(flat, table->child[child].table);
}

/* The same with columns as they are described. */
static void describe_child(struct ct_flat_table *flat, const struct ct_table_def *table,
			   size_t child)
{
	const struct ct_table_def *own = table->child[child].table;

	begin_child(flat, table, child);
	memcpy(flat->column + flat->table.columns, own->column,
	       own->columns * sizeof(*own->column));
	flat->table.columns += own->columns;
}

static bool is_described(const struct ct_table_sink *sink)
{
	return sink->format->is_described || sink->format->is_for_people;
}

static void flatten_line(const struct ct_table_sink *sink, const struct ct_finding_site *line,
			 union ct_cell cell[LINE_COLUMNS])
{
	struct ct_place place = {.file = ""};
	bool is_known = line->unit && line->site < line->unit->header->site_count;

	if (is_known)
		place = ct_place_of(line->unit, &line->unit->sites[line->site]);
	cell[0].text = place.file;
	cell[1].number = place.line ? place.line : CT_MISSING;
	cell[2].number = place.column ? place.column : CT_MISSING;
	cell[3].number = is_known && sink->unit ? (uint64_t)(line->unit - sink->unit) : CT_MISSING;
	cell[4].number = is_known ? line->site : CT_MISSING;
}

static void flatten_place(const struct ct_source_line *place, union ct_cell cell[PLACE_COLUMNS])
{
	cell[0].text = place->file;
	cell[1].number = place->line ? place->line : CT_MISSING;
}

static void flatten_cells(const struct ct_table_sink *sink, const struct ct_table_def *table,
			  const union ct_cell *cell, union ct_cell *flat)
{
	size_t count = 0;

	if (is_described(sink)) {
		memcpy(flat, cell, table->columns * sizeof(*cell));
		return;
	}
	for (size_t i = 0; i < table->columns; i++) {
		enum ct_column_type type = table->column[i].type;

		if (type == CT_COLUMN_LINE)
			flatten_line(sink, &cell[i].line, &flat[count]);
		else if (type == CT_COLUMN_PLACE)
			flatten_place(&cell[i].place, &flat[count]);
		else
			flat[count] = cell[i];
		count += width_of(type);
	}
}

static bool is_text(const struct ct_column_def *column)
{
	return column->type == CT_COLUMN_TEXT || column->type == CT_COLUMN_NAME;
}

/* Texts are not NULL then, and UTF-8. Returns how many are copies, or -ENOMEM. */
static int repair_texts(const struct ct_table_def *table, union ct_cell *cell,
			char *repaired[CT_TABLE_COLUMNS_MAX])
{
	int count = 0;

	for (size_t i = 0; i < table->columns; i++) {
		if (!is_text(&table->column[i]))
			continue;
		if (!cell[i].text)
			cell[i].text = "";
		if (ct_is_utf8(cell[i].text))
			continue;
		repaired[count] = ct_as_utf8(cell[i].text);
		cell[i].text = repaired[count];
		if (!repaired[count++]) {
			while (count)
				free(repaired[--count]);
			return -ENOMEM;
		}
	}
	return count;
}

/* Cells of a row of the table that the format is given, or of one that belongs to it. */
static int put_row(struct ct_table_sink *sink, size_t child, const struct ct_table_def *table,
		   union ct_cell *cell)
{
	char *repaired[CT_TABLE_COLUMNS_MAX];
	int count = repair_texts(table, cell, repaired), err;

	if (count < 0)
		return count;
	err = child == SIZE_MAX ? sink->format->row(sink, cell)
				: sink->format->child(sink, child, table, cell);
	while (count)
		free(repaired[--count]);
	return err;
}

int ct_table_put_cells(struct ct_table_sink *sink, const union ct_cell *cell)
{
	union ct_cell flat[CT_TABLE_COLUMNS_MAX];
	int err;

	if (sink->child != SIZE_MAX) {
		memcpy(sink->key, cell, sink->keys * sizeof(*cell));
		return 0;
	}
	flatten_cells(sink, sink->described, cell, flat);
	err = put_row(sink, SIZE_MAX, sink->table, flat);
	sink->rows += err == 0;
	return err;
}

int ct_table_put_row(struct ct_table_sink *sink, const void *row)
{
	union ct_cell cell[CT_TABLE_COLUMNS_MAX];

	sink->described->fill(row, cell);
	return ct_table_put_cells(sink, cell);
}

/* Within the row before. */
static int nest_row(struct ct_table_sink *sink, size_t child, const union ct_cell *cell)
{
	union ct_cell all[CT_TABLE_COLUMNS_MAX];
	struct ct_flat_table flat;

	ct_table_flatten(&flat, sink->described->child[child].table);
	flatten_cells(sink, sink->described->child[child].table, cell, all);
	return put_row(sink, child, &flat.table, all);
}

int ct_table_put_child(struct ct_table_sink *sink, size_t child, const void *row)
{
	union ct_cell cell[CT_TABLE_COLUMNS_MAX], flat[CT_TABLE_COLUMNS_MAX];
	int err;

	if (sink->format->is_for_people || (!sink->format->child && child != sink->child))
		return 0;
	sink->described->child[child].table->fill(row, cell);
	if (sink->format->child)
		return nest_row(sink, child, cell);
	memcpy(flat, sink->key, sink->keys * sizeof(*flat));
	flatten_cells(sink, sink->described->child[child].table, cell, flat + sink->keys);
	err = put_row(sink, SIZE_MAX, sink->table, flat);
	sink->rows += err == 0;
	return err;
}

int ct_table_sink_begin(struct ct_table_sink *sink)
{
	sink->state = NULL;
	sink->why[0] = '\0';
	return sink->format->begin ? sink->format->begin(sink) : 0;
}

/* The table that sink->table is. */
static int write_rows(struct ct_table_sink *sink, const void *from)
{
	int err = 0;

	sink->rows = sink->given = 0;
	if (sink->format->begin_table)
		err = sink->format->begin_table(sink);
	if (err == 0)
		err = from ? sink->described->rows(from, sink) : 0;
	if (err == 0 && sink->format->end_table)
		err = sink->format->end_table(sink);
	return err;
}

int ct_table_write_rows(struct ct_table_sink *sink, const struct ct_table_def *table,
			const void *from)
{
	int err;

	sink->described = sink->table = table;
	sink->child = SIZE_MAX;
	if (!is_described(sink)) {
		ct_table_flatten(&sink->flat, table);
		sink->table = &sink->flat.table;
	}
	err = write_rows(sink, from);
	if (sink->format->is_for_people || sink->format->child)
		return err;
	sink->keys = count_keys(table);
	for (size_t c = 0; err == 0 && table->child && table->child[c].key; c++) {
		sink->child = c;
		if (is_described(sink))
			describe_child(&sink->flat, table, c);
		else
			ct_table_flatten_child(&sink->flat, table, c);
		sink->table = &sink->flat.table;
		err = write_rows(sink, from);
	}
	return err;
}

int ct_table_sink_end(struct ct_table_sink *sink)
{
	return sink->format->end ? sink->format->end(sink) : 0;
}

int ct_table_sink_close(struct ct_table_sink *sink, int err)
{
	if (sink->format->close)
		sink->format->close(sink);
	if (err < 0 && !sink->why[0])
		snprintf(sink->why, sizeof(sink->why), "%s", ct_strerror(err));
	return err;
}
