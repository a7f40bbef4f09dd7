/* SPDX-License-Identifier: Apache-2.0 */
/* Text tables: aligned columns, numbers in groups of three, fitted to a width. */
#ifndef CT_POSTPROC_TABLES_LAYOUT_H
#define CT_POSTPROC_TABLES_LAYOUT_H

#include "base/quantity.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* How to write for whoever reads stdout. */
struct ct_style {
	unsigned width; /* columns; 0: any */
	int colour;
};

enum ct_emphasis { CT_PLAIN, CT_BOLD, CT_DIM, CT_GOOD, CT_BAD };

struct ct_column {
	const char *title;
	int right;      /* numbers */
	unsigned least; /* may be cut down to this width; 0: never cut */
	int keep_start; /* cut the end, not the beginning */
};

struct ct_table;

/* Width and colour of stdout: a terminal's, or none. COLUMNS and NO_COLOR count. */
struct ct_style ct_style_of_stdout(void);

void ct_emphasise(FILE *out, const struct ct_style *style, enum ct_emphasis emphasis,
		  const char *text);

int ct_table_open(struct ct_table **out, const struct ct_column *columns, size_t count);
void ct_table_close(struct ct_table *table); /* NULL is allowed */

/* A column (below 64) that is left out where the width is too short for all; of several, the last
 * first. */
void ct_table_detail(struct ct_table *table, size_t column);

/* Append the next cell, row by row. NULL text is "". After an allocation
 * failure further cells are ignored and ct_table_write returns -ENOMEM. */
void ct_table_text(struct ct_table *table, const char *text);
void ct_table_number(struct ct_table *table, uint64_t number);
/* A kernel's or function's: ct_source_name_brief */
void ct_table_name(struct ct_table *table, const char *name);

/* Returns how many columns are left out, or -ENOMEM. */
int ct_table_write(const struct ct_table *table, FILE *out, const struct ct_style *style);

#endif
