/* SPDX-License-Identifier: Apache-2.0 */
/* What an analysis shows in a section of its own. */
#include "postproc/facts/section.h"
#include "base/array.h"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void free_cells(struct ct_section *section)
{
	for (size_t i = 0; i < section->cells; i++) {
		enum ct_section_kind kind = section->column[i % section->columns].kind;

		if (kind == CT_SECTION_TEXT || kind == CT_SECTION_NAME)
			free(section->cell[i].text);
	}
	free(section->cell);
}

void ct_sections_fini(struct ct_sections *sections)
{
	for (size_t i = 0; i < sections->count; i++)
		free_cells(&sections->list[i]);
	free(sections->list);
	memset(sections, 0, sizeof(*sections));
}

void ct_sections_add(struct ct_sections *sections, const struct ct_section *like)
{
	struct ct_section *section;

	assert(like->columns && like->order < like->columns);
	if (sections->err)
		return;
	sections->err = ct_array_grow(&sections->list, sections->count, sizeof(*sections->list));
	if (sections->err)
		return;
	section = &sections->list[sections->count++];
	*section = *like;
	section->cell = NULL;
	section->cells = 0;
}

/* Of the section added last; NULL if adding has failed. */
static union ct_section_cell *next_cell(struct ct_sections *sections, enum ct_section_kind kind)
{
	struct ct_section *section;

	if (sections->err)
		return NULL;
	section = &sections->list[sections->count - 1];
	assert(section->column[section->cells % section->columns].kind == kind);
	(void)kind;
	sections->err = ct_array_grow(&section->cell, section->cells, sizeof(*section->cell));
	if (sections->err)
		return NULL;
	section->cell[section->cells] = (union ct_section_cell){.text = NULL};
	return &section->cell[section->cells++];
}

static void add_text(struct ct_sections *sections, enum ct_section_kind kind, const char *text)
{
	union ct_section_cell *cell = next_cell(sections, kind);

	if (!cell || !text)
		return;
	cell->text = strdup(text);
	if (!cell->text)
		sections->err = -ENOMEM;
}

void ct_sections_text(struct ct_sections *sections, const char *text)
{
	add_text(sections, CT_SECTION_TEXT, text);
}

void ct_sections_name(struct ct_sections *sections, const char *name)
{
	add_text(sections, CT_SECTION_NAME, name);
}

void ct_sections_line(struct ct_sections *sections, const struct ct_unit *unit, uint32_t site)
{
	union ct_section_cell *cell = next_cell(sections, CT_SECTION_LINE);

	if (cell)
		cell->line = (struct ct_finding_site){unit, site};
}

void ct_sections_number(struct ct_sections *sections, double number)
{
	union ct_section_cell *cell = next_cell(sections, CT_SECTION_NUMBER);

	if (cell)
		cell->number = number;
}

const struct ct_section *ct_sections_next(const struct ct_sections *sections,
					  const struct ct_section *after)
{
	for (size_t i = after ? (size_t)(after - sections->list) + 1 : 0; i < sections->count; i++)
		if (ct_section_rows(&sections->list[i]))
			return &sections->list[i];
	return NULL;
}

size_t ct_section_rows(const struct ct_section *section)
{
	return section->cells / section->columns;
}

const union ct_section_cell *ct_section_cell(const struct ct_section *section, size_t row,
					     size_t column)
{
	return &section->cell[row * section->columns + column];
}

const char *ct_section_kind_text(enum ct_section_kind kind)
{
	static const char *const text[] = {"text", "name", "line", "number"};

	return text[kind];
}
