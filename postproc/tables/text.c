/* SPDX-License-Identifier: Apache-2.0 */
/* Tables for a terminal: a title, what the rows are, the first of them. */
#include "base/quantity.h"
#include "postproc/facts/folded_name.h"
#include "postproc/facts/place.h"
#include "postproc/tables/amount.h"
#include "postproc/tables/layout.h"
#include "postproc/tables/sections.h"
#include "postproc/tables/wrap.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NONE "\xe2\x80\x93" /* where a cell has nothing */

/* Least widths that cells may be cut to; numbers are not. */
static const unsigned least[CT_COLUMN_TYPES] = {
    [CT_COLUMN_TEXT] = 12, [CT_COLUMN_NAME] = 10, [CT_COLUMN_LINE] = 16, [CT_COLUMN_PLACE] = 16};

bool ct_column_is_word(enum ct_column_type type)
{
	return type == CT_COLUMN_TEXT || type == CT_COLUMN_NAME || type == CT_COLUMN_LINE ||
	       type == CT_COLUMN_PLACE || type == CT_COLUMN_ADDRESS;
}

static const char *quantity(double value, const char *unit, char text[CT_CELL_BYTES])
{
	struct ct_amount amount = {value, unit};
	char number[CT_AMOUNT_BYTES];

	if (!strcmp(unit, "bytes"))
		amount.unit = "B";
	else if (!strcmp(unit, "seconds"))
		amount.unit = "s";
	else if (!strcmp(unit, "share"))
		amount = (struct ct_amount){100 * value, "%"};
	snprintf(text, CT_CELL_BYTES, "%s", ct_amount_number(&amount, number));
	return text;
}

const char *ct_cell_text(const struct ct_column_def *column, const union ct_cell *cell,
			 char text[CT_CELL_BYTES])
{
	const struct ct_unit *unit = cell->line.unit;

	if (ct_cell_is_empty(column, cell))
		return NONE;
	switch (column->type) {
	case CT_COLUMN_LINE:
		return ct_place_text(ct_place_of(unit, &unit->sites[cell->line.site]), text,
				     CT_CELL_BYTES);
	case CT_COLUMN_PLACE:
		return ct_place_text((struct ct_place){cell->place.file, cell->place.line, 0}, text,
				     CT_CELL_BYTES);
	case CT_COLUMN_REAL:
		return quantity(cell->real, column->unit, text);
	case CT_COLUMN_UINT:
		return *column->unit ? quantity((double)cell->number, column->unit, text)
				     : ct_number(cell->number, text);
	case CT_COLUMN_ID:
		snprintf(text, CT_CELL_BYTES, "%llu", (unsigned long long)cell->number);
		return text;
	case CT_COLUMN_BOOL:
		return cell->number ? "yes" : "no";
	case CT_COLUMN_ADDRESS:
		snprintf(text, CT_CELL_BYTES, "0x%llx", (unsigned long long)cell->number);
		return text;
	case CT_COLUMN_NAME:
		return ct_shown_name(cell->text, text);
	default:
		return cell->text;
	}
}

/* Those that are shown; returns how many, and which they are. */
static size_t choose_columns(const struct ct_section *section,
			     struct ct_column column[CT_TABLE_COLUMNS_MAX],
			     size_t from[CT_TABLE_COLUMNS_MAX])
{
	size_t count = 0;

	for (size_t c = 0; c < section->table->columns; c++) {
		const struct ct_column_def *def = &section->table->column[c];

		if (!ct_section_shows(section, c) || def->flags & CT_COLUMN_PAGE)
			continue;
		column[count] = (struct ct_column){
		    .title = def->title,
		    .right = !ct_column_is_word(def->type),
		    .least = least[def->type],
		    .keep_start = def->type == CT_COLUMN_TEXT,
		};
		from[count++] = c;
	}
	return count;
}

/* Returns how many columns are left out, or -ENOMEM. */
static int write_grid(FILE *out, const struct ct_section *section, size_t rows,
		      const struct ct_style *style)
{
	struct ct_column column[CT_TABLE_COLUMNS_MAX] = {{.title = NULL}};
	size_t from[CT_TABLE_COLUMNS_MAX], count = choose_columns(section, column, from);
	char text[CT_CELL_BYTES];
	struct ct_table *table;
	int err = ct_table_open(&table, column, count);

	if (err < 0)
		return err;
	for (size_t c = 0; c < count; c++)
		if (section->table->column[from[c]].flags & CT_COLUMN_DETAIL)
			ct_table_detail(table, c);
	for (size_t r = 0; r < rows; r++)
		for (size_t c = 0; c < count; c++)
			ct_table_text(table,
				      ct_cell_text(&section->table->column[from[c]],
						   ct_section_cell(section, r, from[c]), text));
	err = ct_table_write(table, out, style);
	ct_table_close(table);
	return err;
}

int ct_section_write(FILE *out, const struct ct_section *section, bool with_about, uint64_t count,
		     size_t rows_max, const struct ct_style *style)
{
	size_t rows = section->rows < rows_max ? section->rows : rows_max;
	char number[CT_NUMBER_BYTES];
	int left_out;

	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, section->table->title);
	fputc('\n', out);
	if (with_about)
		ct_write_wrapped(out, section->about, 0, style->width);
	left_out = write_grid(out, section, rows, style);
	if (left_out < 0)
		return left_out;
	if (rows < count)
		fprintf(out, "\xe2\x80\xa6 and %s more row%s: --rows=all\n",
			ct_number(count - rows, number), count - rows == 1 ? "" : "s");
	if (left_out)
		fprintf(out, "\xe2\x80\xa6 and %d more column%s in a wider terminal\n", left_out,
			left_out == 1 ? "" : "s");
	return 0;
}

int ct_sections_write(FILE *out, const struct ct_sections *sections, size_t rows_max,
		      const struct ct_style *style)
{
	const struct ct_section *section = NULL;
	int err = 0;

	while (rows_max && err == 0 && (section = ct_sections_next(sections, section)))
		err = ct_section_write(out, section, true, section->rows, rows_max, style);
	return err;
}

int ct_table_show(FILE *out, const struct ct_table_def *table, const void *from, size_t rows_max,
		  const struct ct_style *style)
{
	struct ct_section section;
	uint64_t count;
	int err = ct_section_init(&section, table, from, rows_max, &count);

	if (err == 0 && count)
		err = ct_section_write(out, &section, false, count, rows_max, style);
	ct_section_fini(&section);
	return err;
}
