/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables with their rows in memory: what analyses show beside their findings. Text, JSON and the
 * report show the same ones.
 */
#ifndef CT_POSTPROC_TABLES_SECTIONS_H
#define CT_POSTPROC_TABLES_SECTIONS_H

#include "postproc/tables/table.h"
#include <stdio.h>

struct ct_blame;
struct ct_style;

struct ct_section {
	const char *analysis; /* static: whose section it is */
	const struct ct_table_def *table;
	const char *about; /* on what the rows are: the table's help unless set */
	/* The rows are of this, for the report's flame graph; NULL: none. Lives as long as the
	 * analysis' job */
	const struct ct_blame *blame;
	union ct_cell *cell; /* row by row; owned, as texts are */
	size_t rows;
	struct ct_table_def kept; /* the table, whose rows come from this section */
};

/* Zero-initialise. Sections borrow from the trace. */
struct ct_sections {
	struct ct_section *list;
	size_t count;
	int err; /* the first error: what was added since is missing */
};

void ct_sections_fini(struct ct_sections *sections);

/* Keeps all rows of a table. The section, valid until the next one is added; NULL: sections->err is
 * set. */
struct ct_section *ct_sections_add(struct ct_sections *sections, const char *analysis,
				   const struct ct_table_def *table, const void *from);

/* Those to be shown, which have rows: the one after `after`, NULL: the first. NULL: no more. */
const struct ct_section *ct_sections_next(const struct ct_sections *sections,
					  const struct ct_section *after);

/* Have people nothing to see there? */
bool ct_cell_is_empty(const struct ct_column_def *column, const union ct_cell *cell);

/* Is the column one that people see, with a value in some row? */
bool ct_section_shows(const struct ct_section *section, size_t column);
const union ct_cell *ct_section_cell(const struct ct_section *section, size_t row, size_t column);

/* Keeps up to rows_max rows of a table. 0 or a negative error; ct_section_fini frees in either
 * case. *count: of all rows. */
int ct_section_init(struct ct_section *section, const struct ct_table_def *table, const void *from,
		    size_t rows_max, uint64_t *count);
void ct_section_fini(struct ct_section *section);

/* Are its cells words, and not numbers, to people? */
bool ct_column_is_word(enum ct_column_type type);
/* A cell as people read it: buffer, or text of the cell. */
#define CT_CELL_BYTES 4096 /* of a name, as of CT_BRIEF_NAME_BYTES */
const char *ct_cell_text(const struct ct_column_def *column, const union ct_cell *cell,
			 char buffer[CT_CELL_BYTES]);

/* Its title and table for a terminal, of at most rows_max rows; with_about: a sentence on what the
 * rows are, too; count: of rows, those that were not kept among them. 0 or -ENOMEM */
int ct_section_write(FILE *out, const struct ct_section *section, bool with_about, uint64_t count,
		     size_t rows_max, const struct ct_style *style);

/* The same of all of them; nothing if rows_max is 0. */
int ct_sections_write(FILE *out, const struct ct_sections *sections, size_t rows_max,
		      const struct ct_style *style);

/* The same of the rows of a table, without its sentence; nothing if it has none. 0 or a negative
 * error */
int ct_table_show(FILE *out, const struct ct_table_def *table, const void *from, size_t rows_max,
		  const struct ct_style *style);

#endif
