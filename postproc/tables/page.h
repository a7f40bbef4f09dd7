/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of the report's page: one JSON object that holds tables column by column, and what
 * their cells refer to (docs/report.md, "The embedded JSON"). A table that people see has the
 * columns that people see; each is there if some row has a value in it.
 */
#ifndef CT_POSTPROC_TABLES_PAGE_H
#define CT_POSTPROC_TABLES_PAGE_H

#include "postproc/tables/sink.h"

/* sink->user. */
struct ct_page {
	/* The number of a file, of which the line is wanted, too; or a negative error. column: of
	 * the cell, by whose name a comparison tells its studies apart. */
	long (*file)(void *user, const char *column, const char *file, uint32_t line);
	void *user;

	/* These are of the table that is written next; the format resets them behind it. */
	const char *analysis; /* NULL: none */
	const char *about;    /* on what the rows are; NULL: the table's help */
	const char *heaviest; /* names of columns, separated by spaces: rows with the greatest
			       * sums of them are kept; NULL: the first rows are */
	size_t rows_max;      /* 0: all */
};

/* head: as of JSON. */
extern const struct ct_table_format ct_format_page;

#endif
