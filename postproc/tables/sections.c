/* SPDX-License-Identifier: Apache-2.0 */
/* Tables with their rows in memory. */
#include "postproc/tables/sections.h"
#include "base/array.h"
#include "postproc/tables/sink.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct keeper {
	struct ct_section *section;
	size_t rows_max;
};

/* Returns the text of a cell that has one, which the section owns; else NULL. */
static const char **text_of(enum ct_column_type type, union ct_cell *cell)
{
	if (type == CT_COLUMN_PLACE)
		return &cell->place.file;
	return type == CT_COLUMN_TEXT || type == CT_COLUMN_NAME ? &cell->text : NULL;
}

static int keep_row(struct ct_table_sink *sink, const union ct_cell *cell)
{
	const struct keeper *keeper = sink->user;
	struct ct_section *section = keeper->section;
	const struct ct_table_def *table = section->table;
	size_t at = section->rows * table->columns;
	int err;

	if (section->rows >= keeper->rows_max)
		return 0;
	err = ct_array_grow(&section->cell, section->rows, table->columns * sizeof(*section->cell));
	if (err < 0)
		return err;
	memcpy(&section->cell[at], cell, table->columns * sizeof(*cell));
	section->rows++;
	for (size_t c = 0; c < table->columns; c++) {
		const char **text = text_of(table->column[c].type, &section->cell[at + c]);
		bool has_text = text && *text && **text;

		if (text)
			*text = has_text ? strdup(*text) : NULL;
		if (has_text && !*text)
			err = -ENOMEM;
	}
	return err;
}

static int rows_kept(const void *from, struct ct_table_sink *sink)
{
	const struct ct_section *section = from;
	int err = 0;

	for (size_t r = 0; r < section->rows && err == 0; r++)
		err = ct_table_put_cells(sink, ct_section_cell(section, r, 0));
	return err;
}

static const struct ct_table_format in_memory = {.is_for_people = true, .row = keep_row};

static void begin(struct ct_section *section, const struct ct_table_def *table)
{
	*section = (struct ct_section){
	    .analysis = "", .table = table, .about = table->help, .kept = *table};
	section->kept.rows = rows_kept;
	section->kept.child = NULL;
}

int ct_section_init(struct ct_section *section, const struct ct_table_def *table, const void *from,
		    size_t rows_max, uint64_t *count)
{
	struct keeper keeper = {section, rows_max};
	struct ct_table_sink sink = {.format = &in_memory, .user = &keeper};
	int err;

	begin(section, table);
	err = ct_table_write_rows(&sink, table, from);
	*count = sink.rows;
	return err;
}

void ct_section_fini(struct ct_section *section)
{
	size_t columns = section->table->columns;

	for (size_t i = 0; i < section->rows * columns; i++) {
		const char **text =
		    text_of(section->table->column[i % columns].type, &section->cell[i]);

		if (text)
			free((char *)*text);
	}
	free(section->cell);
	section->cell = NULL;
	section->rows = 0;
}

void ct_sections_fini(struct ct_sections *sections)
{
	for (size_t i = 0; i < sections->count; i++)
		ct_section_fini(&sections->list[i]);
	free(sections->list);
	memset(sections, 0, sizeof(*sections));
}

static struct ct_section *append(struct ct_sections *sections)
{
	if (!sections->err)
		sections->err =
		    ct_array_grow(&sections->list, sections->count, sizeof(*sections->list));
	return sections->err ? NULL : &sections->list[sections->count++];
}

struct ct_section *ct_sections_add(struct ct_sections *sections, const char *analysis,
				   const struct ct_table_def *table, const void *from)
{
	struct ct_section *section = append(sections);
	uint64_t count;

	if (!section)
		return NULL;
	sections->err = ct_section_init(section, table, from, SIZE_MAX, &count);
	section->analysis = analysis;
	return sections->err ? NULL : section;
}

const struct ct_section *ct_sections_next(const struct ct_sections *sections,
					  const struct ct_section *after)
{
	for (size_t i = after ? (size_t)(after - sections->list) + 1 : 0; i < sections->count; i++)
		if (sections->list[i].rows)
			return &sections->list[i];
	return NULL;
}

const union ct_cell *ct_section_cell(const struct ct_section *section, size_t row, size_t column)
{
	return &section->cell[row * section->table->columns + column];
}

bool ct_cell_is_empty(const struct ct_column_def *column, const union ct_cell *cell)
{
	switch (column->type) {
	case CT_COLUMN_LINE:
		return !cell->line.unit || cell->line.site >= cell->line.unit->header->site_count;
	case CT_COLUMN_TEXT:
	case CT_COLUMN_NAME:
		return !cell->text || !*cell->text;
	case CT_COLUMN_PLACE:
		return !cell->place.file || !*cell->place.file || !cell->place.line;
	default:
		return ct_cell_is_missing(column, cell);
	}
}

bool ct_section_shows(const struct ct_section *section, size_t column)
{
	const struct ct_column_def *def = &section->table->column[column];
	bool has_value = !(def->flags & CT_COLUMN_OPTIONAL);

	for (size_t r = 0; r < section->rows && !has_value; r++)
		has_value = !ct_cell_is_missing(def, ct_section_cell(section, r, column));
	return def->title && has_value;
}
