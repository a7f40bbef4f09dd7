/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of analyses as JSON: docs/json-schema.md. */
#include "postproc/render/base/json.h"
#include "postproc/render/findings/findings.h"
#include <math.h>

#define EXACT_MAX 9007199254740992.0 /* 2^53: above, not every integer is a double */

static json_t *number_json(double number)
{
	if (!isfinite(number))
		return json_null();
	if (number == floor(number) && fabs(number) <= EXACT_MAX)
		return json_integer((json_int_t)number);
	return json_real(number);
}

static json_t *cell_json(enum ct_section_kind kind, const union ct_section_cell *cell)
{
	switch (kind) {
	case CT_SECTION_LINE:
		return ct_json_line(cell->line.unit, cell->line.site);
	case CT_SECTION_NUMBER:
		return number_json(cell->number);
	default:
		return cell->text ? ct_json_text(cell->text) : json_null();
	}
}

static json_t *columns_json(const struct ct_section *section)
{
	json_t *array = json_array();

	for (size_t c = 0; c < section->columns; c++) {
		const struct ct_section_column *column = &section->column[c];

		json_array_append_new(array, json_pack("{s:s,s:s,s:s?,s:s?}", "key", column->key,
						       "title", column->title, "unit", column->unit,
						       "help", column->help));
	}
	return array;
}

static json_t *rows_json(const struct ct_section *section)
{
	json_t *array = json_array();

	for (size_t r = 0; r < ct_section_rows(section); r++) {
		json_t *row = json_object();

		for (size_t c = 0; c < section->columns; c++)
			json_object_set_new(
			    row, section->column[c].key,
			    cell_json(section->column[c].kind, ct_section_cell(section, r, c)));
		json_array_append_new(array, row);
	}
	return array;
}

json_t *ct_sections_json(const struct ct_sections *sections)
{
	const struct ct_section *section = NULL;
	json_t *array = json_array();

	while ((section = ct_sections_next(sections, section)))
		json_array_append_new(
		    array,
		    json_pack("{s:s,s:s,s:s,s:s,s:o,s:o}", "analysis", section->analysis, "section",
			      section->name, "title", section->title, "about", section->about,
			      "columns", columns_json(section), "rows", rows_json(section)));
	return array;
}
