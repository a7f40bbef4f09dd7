/* SPDX-License-Identifier: Apache-2.0 */
/* What analyses show in sections of their own: tables, by the kinds of their columns. */
#include "postproc/facts/source_name.h"
#include "postproc/render/report/parts.h"

#include <stdio.h>

/* What the page does with the cells of a column. */
static const char *kind_of(enum ct_column_type type)
{
	switch (type) {
	case CT_COLUMN_NAME:
		return "name";
	case CT_COLUMN_LINE:
		return "line";
	case CT_COLUMN_UINT:
	case CT_COLUMN_REAL:
		return "number";
	default:
		return "text";
	}
}

static void put_column(const struct ct_report_writer *w, const struct ct_column_def *column)
{
	ct_out_object(w->out, NULL);
	ct_out_text(w->out, "key", column->name);
	ct_out_text(w->out, "title", column->title);
	ct_out_text(w->out, "kind", kind_of(column->type));
	if (*column->unit)
		ct_out_text(w->out, "unit", column->unit);
	if (*column->help)
		ct_out_text(w->out, "help", column->help);
	ct_out_end(w->out);
}

static void put_cell(const struct ct_report_writer *w, const struct ct_column_def *column,
		     const union ct_cell *cell)
{
	char text[CT_BRIEF_NAME_BYTES];

	if (column->type == CT_COLUMN_LINE) {
		ct_sources_put_site(w->sources, w->out, NULL, cell->line.unit, cell->line.site);
		return;
	}
	if (ct_cell_is_empty(column, cell)) {
		ct_out_json(w->out, NULL, json_null());
		return;
	}
	switch (column->type) {
	case CT_COLUMN_REAL:
		ct_out_real(w->out, NULL, cell->real);
		break;
	case CT_COLUMN_UINT:
		ct_out_integer(w->out, NULL, cell->number);
		break;
	case CT_COLUMN_BOOL:
		ct_out_text(w->out, NULL, cell->number ? "yes" : "no");
		break;
	case CT_COLUMN_ADDRESS:
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)cell->number);
		ct_out_text(w->out, NULL, text);
		break;
	case CT_COLUMN_NAME:
		ct_out_text(w->out, NULL, ct_source_name_brief(cell->text, text));
		break;
	default:
		ct_out_text(w->out, NULL, cell->text);
	}
}

/* Those that people see, as many as the page shows. */
static void put_rows(const struct ct_report_writer *w, const struct ct_section *section,
		     const size_t *from, size_t columns)
{
	size_t shown = section->rows < CT_REPORT_ROWS ? section->rows : CT_REPORT_ROWS;

	ct_out_integer(w->out, "count", section->rows);
	ct_out_array(w->out, "rows");
	for (size_t r = 0; r < shown; r++) {
		ct_out_array(w->out, NULL);
		for (size_t c = 0; c < columns; c++)
			put_cell(w, &section->table->column[from[c]],
				 ct_section_cell(section, r, from[c]));
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}

static void put_section(const struct ct_report_writer *w, const struct ct_section *section)
{
	const struct ct_table_def *table = section->table;
	const size_t order_at = ct_table_column_of(table, table->order);
	size_t from[CT_TABLE_COLUMNS_MAX], columns = 0, order = 0;

	ct_out_object(w->out, NULL);
	ct_out_text(w->out, "analysis", section->analysis);
	ct_out_text(w->out, "section", table->name);
	ct_out_text(w->out, "title", table->title);
	ct_out_text(w->out, "about", section->about);
	for (size_t c = 0; c < table->columns; c++) {
		if (!ct_section_shows(section, c))
			continue;
		if (c == order_at)
			order = columns;
		from[columns++] = c;
	}
	ct_out_integer(w->out, "order", order);
	ct_out_array(w->out, "columns");
	for (size_t c = 0; c < columns; c++)
		put_column(w, &table->column[from[c]]);
	ct_out_end(w->out);
	put_rows(w, section, from, columns);
	ct_out_end(w->out);
}

void ct_report_put_sections(const struct ct_report_writer *w)
{
	const struct ct_section *section = NULL;

	ct_out_array(w->out, "sections");
	while ((section = ct_sections_next(w->report->sections, section)))
		put_section(w, section);
	ct_out_end(w->out);
}
