/* SPDX-License-Identifier: Apache-2.0 */
/* What analyses show in sections of their own: tables, by the kinds of their columns. */
#include "postproc/facts/source_name.h"
#include "postproc/render/report/parts.h"

static void put_column(const struct ct_report_writer *w, const struct ct_section_column *column)
{
	ct_out_object(w->out, NULL);
	ct_out_text(w->out, "key", column->key);
	ct_out_text(w->out, "title", column->title);
	ct_out_text(w->out, "kind", ct_section_kind_text(column->kind));
	if (column->unit)
		ct_out_text(w->out, "unit", column->unit);
	if (column->help)
		ct_out_text(w->out, "help", column->help);
	ct_out_end(w->out);
}

static void put_cell(const struct ct_report_writer *w, enum ct_section_kind kind,
		     const union ct_section_cell *cell)
{
	char name[CT_BRIEF_NAME_BYTES];

	if (kind == CT_SECTION_NUMBER)
		ct_out_real(w->out, NULL, cell->number);
	else if (kind == CT_SECTION_LINE)
		ct_sources_put_site(w->sources, w->out, NULL, cell->line.unit, cell->line.site);
	else if (!cell->text)
		ct_out_json(w->out, NULL, json_null());
	else
		ct_out_text(w->out, NULL,
			    kind == CT_SECTION_NAME ? ct_source_name_brief(cell->text, name)
						    : cell->text);
}

static void put_rows(const struct ct_report_writer *w, const struct ct_section *section)
{
	size_t count = ct_section_rows(section);
	size_t shown = count < CT_REPORT_ROWS ? count : CT_REPORT_ROWS;

	ct_out_integer(w->out, "count", count);
	ct_out_array(w->out, "rows");
	for (size_t r = 0; r < shown; r++) {
		ct_out_array(w->out, NULL);
		for (size_t c = 0; c < section->columns; c++)
			put_cell(w, section->column[c].kind, ct_section_cell(section, r, c));
		ct_out_end(w->out);
	}
	ct_out_end(w->out);
}

static void put_section(const struct ct_report_writer *w, const struct ct_section *section)
{
	ct_out_object(w->out, NULL);
	ct_out_text(w->out, "analysis", section->analysis);
	ct_out_text(w->out, "section", section->name);
	ct_out_text(w->out, "title", section->title);
	ct_out_text(w->out, "about", section->about);
	ct_out_integer(w->out, "order", section->order);
	ct_out_array(w->out, "columns");
	for (size_t c = 0; c < section->columns; c++)
		put_column(w, &section->column[c]);
	ct_out_end(w->out);
	put_rows(w, section);
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
