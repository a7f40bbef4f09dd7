/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of analyses for a terminal: a head, what the rows are, the first of them. */
#include "postproc/render/base/words.h"
#include "postproc/render/base/wrap.h"
#include "postproc/render/findings/findings.h"
#include <errno.h>
#include <stdlib.h>

#define LOCATION_BYTES 1024
#define NONE "\xe2\x80\x93" /* where a cell has nothing */

/* Least widths that cells may be cut to; numbers are not. */
static const unsigned least[CT_SECTION_KINDS] = {
    [CT_SECTION_TEXT] = 12, [CT_SECTION_NAME] = 10, [CT_SECTION_LINE] = 16};

static const char *location_of(const struct ct_finding_site *line, char text[LOCATION_BYTES])
{
	if (!line->unit || line->site >= line->unit->header->site_count)
		return NONE;
	return ct_words_location(line->unit, &line->unit->sites[line->site], text, LOCATION_BYTES);
}

static void put_cell(struct ct_table *table, const struct ct_section_column *column,
		     const union ct_section_cell *cell)
{
	char text[LOCATION_BYTES];

	switch (column->kind) {
	case CT_SECTION_LINE:
		ct_table_text(table, location_of(&cell->line, text));
		break;
	case CT_SECTION_NUMBER:
		ct_table_text(
		    table, ct_amount_number(&(struct ct_amount){cell->number, column->unit}, text));
		break;
	case CT_SECTION_NAME:
		ct_table_name(table, cell->text ? cell->text : NONE);
		break;
	default:
		ct_table_text(table, cell->text ? cell->text : NONE);
	}
}

static void put_columns(struct ct_column *column, const struct ct_section *section)
{
	for (size_t c = 0; c < section->columns; c++) {
		const struct ct_section_column *from = &section->column[c];

		column[c] = (struct ct_column){
		    .title = from->title,
		    .right = from->kind == CT_SECTION_NUMBER,
		    .least = least[from->kind],
		    .keep_start = from->kind == CT_SECTION_TEXT,
		};
	}
}

/* Returns how many columns are left out, or -ENOMEM. */
static int write_table(FILE *out, const struct ct_section *section, size_t rows,
		       const struct ct_style *style)
{
	struct ct_column *column = calloc(section->columns, sizeof(*column));
	struct ct_table *table;
	int err = -ENOMEM;

	if (!column)
		return err;
	put_columns(column, section);
	err = ct_table_open(&table, column, section->columns);
	if (err < 0)
		goto free_column;
	for (size_t c = 0; c < section->columns; c++)
		if (section->column[c].is_detail)
			ct_table_detail(table, c);
	for (size_t r = 0; r < rows; r++)
		for (size_t c = 0; c < section->columns; c++)
			put_cell(table, &section->column[c], ct_section_cell(section, r, c));
	err = ct_table_write(table, out, style);
	ct_table_close(table);

free_column:
	free(column);
	return err;
}

static int write_section(FILE *out, const struct ct_section *section, size_t rows_max,
			 const struct ct_style *style)
{
	size_t count = ct_section_rows(section), rows = count < rows_max ? count : rows_max;
	char number[CT_NUMBER_BYTES];
	int left_out;

	fputc('\n', out);
	ct_emphasise(out, style, CT_BOLD, section->title);
	fputc('\n', out);
	ct_write_wrapped(out, section->about, 0, style->width);
	left_out = write_table(out, section, rows, style);
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
		err = write_section(out, section, rows_max, style);
	return err;
}
