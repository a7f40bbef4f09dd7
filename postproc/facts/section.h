/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an analysis shows in a section of its own: a table. Each analysis fills its own
 * (show of analysis/finder.h); text, JSON and the report show the same ones.
 */
#ifndef CT_FACTS_SECTION_H
#define CT_FACTS_SECTION_H

#include "postproc/facts/finding.h"

enum ct_section_kind {
	CT_SECTION_TEXT,
	CT_SECTION_NAME, /* of a kernel or function */
	CT_SECTION_LINE, /* where a site stands in the source */
	CT_SECTION_NUMBER,
	CT_SECTION_KINDS,
};

struct ct_section_column {
	const char *key;   /* in JSON */
	const char *title; /* short */
	const char *help;  /* a sentence on what it holds; NULL: the title says it */
	enum ct_section_kind kind;
	const char *unit; /* of numbers, as of struct ct_amount; NULL: of what has none */
	bool is_detail;   /* a narrow terminal does without */
};

union ct_section_cell {
	char *text; /* of texts and names, owned; NULL: there is none */
	struct ct_finding_site line;
	double number; /* not finite: there is none */
};

struct ct_blame;

struct ct_section {
	const char *analysis; /* static, as all but the cells: whose section it is */
	const char *name;     /* in the page's links and in JSON: "bank-conflicts" */
	const char *title;
	const char *about; /* a sentence or two on what the rows are */
	const struct ct_section_column *column;
	size_t columns;
	size_t order;                 /* the column of numbers that rows come by, falling */
	const struct ct_blame *blame; /* what the rows are of, for the report's flame graph; NULL:
				       * none. Lives as long as the analysis' job */
	union ct_section_cell *cell;  /* row by row; owned */
	size_t cells;
};

/* Zero-initialise. Sections borrow from the trace. */
struct ct_sections {
	struct ct_section *list;
	size_t count;
	int err; /* the first -ENOMEM: what was added since is missing */
};

void ct_sections_fini(struct ct_sections *sections);

/* Adds one like `like`, without cells. */
void ct_sections_add(struct ct_sections *sections, const struct ct_section *like);

/* The next cell of the section added last, of the kind that its column has. Rows come with the
 * most important first. */
void ct_sections_text(struct ct_sections *sections, const char *text);
void ct_sections_name(struct ct_sections *sections, const char *name);
void ct_sections_line(struct ct_sections *sections, const struct ct_unit *unit, uint32_t site);
void ct_sections_number(struct ct_sections *sections, double number);

/* Those to be shown, which have rows: the one after `after`, NULL: the first. NULL: no more. */
const struct ct_section *ct_sections_next(const struct ct_sections *sections,
					  const struct ct_section *after);

size_t ct_section_rows(const struct ct_section *section);
const union ct_section_cell *ct_section_cell(const struct ct_section *section, size_t row,
					     size_t column);

/* "text", "name", "line", "number" */
const char *ct_section_kind_text(enum ct_section_kind kind);

#endif
