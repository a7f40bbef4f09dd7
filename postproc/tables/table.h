/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table is described once, for every format: text, JSON, CSV, SQLite, HDF5, the page and the
 * documentation. Its columns stand in a .def file, a line each, with the expression that fills them
 * (tables/describe.h); a function hands out its rows to a sink (tables/sink.h), in the order in
 * which people want them. Nothing else knows what the columns are.
 *
 * Quantities have one unit everywhere: "bytes", "seconds", "share" (0 to 1), or what is counted.
 */
#ifndef CT_POSTPROC_TABLES_TABLE_H
#define CT_POSTPROC_TABLES_TABLE_H

#include "postproc/facts/finding.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_TABLE_COLUMNS_MAX 64

enum ct_column_type {
	CT_COLUMN_UINT,
	CT_COLUMN_ID, /* a number that names something: as UINT, but people read bare digits */
	CT_COLUMN_REAL,
	CT_COLUMN_BOOL,
	CT_COLUMN_TEXT,
	CT_COLUMN_ADDRESS, /* a number, written in hexadecimal where people read it */
	CT_COLUMN_NAME,    /* text, of a kernel or function: people read a short form */
	CT_COLUMN_LINE,    /* where a site stands in the source; five columns for programs */
	CT_COLUMN_PLACE,   /* a line of the source that is no site's; two columns for programs */
	CT_COLUMN_TYPES,
};

enum ct_column_flags {
	CT_COLUMN_ALWAYS = 0,
	CT_COLUMN_KEY = 1,      /* part of the primary key */
	CT_COLUMN_OPTIONAL = 2, /* a value may be missing */
	CT_COLUMN_DETAIL = 4,   /* people see it where there is room */
	CT_COLUMN_PAGE = 8,     /* people see it on the page alone, which has room for it */
	CT_COLUMN_KEY_DETAIL = CT_COLUMN_KEY | CT_COLUMN_DETAIL,
	CT_COLUMN_KEY_PAGE = CT_COLUMN_KEY | CT_COLUMN_PAGE,
	CT_COLUMN_OPTIONAL_DETAIL = CT_COLUMN_OPTIONAL | CT_COLUMN_DETAIL,
	CT_COLUMN_OPTIONAL_PAGE = CT_COLUMN_OPTIONAL | CT_COLUMN_PAGE,
	CT_COLUMN_PAGE_DETAIL = CT_COLUMN_PAGE | CT_COLUMN_DETAIL,
	CT_COLUMN_OPTIONAL_PAGE_DETAIL = CT_COLUMN_OPTIONAL_PAGE | CT_COLUMN_DETAIL,
};

struct ct_column_def {
	const char *name; /* "ideal_sectors" */
	enum ct_column_type type;
	unsigned flags;
	const char *title; /* what people read above it; NULL: it is for programs alone */
	const char *unit;  /* "" none */
	const char *help;  /* "": the name says it */
};

/* A foreign key or an index, as in SQL. */
struct ct_table_link {
	const char *columns; /* "part, launch" */
	const char *table;   /* that they are the key of; NULL: an index */
	const char *key;     /* its columns */
};

struct ct_source_line {
	const char *file; /* NULL or "": not known; valid until the next row */
	uint32_t line;
};

/* Missing: CT_MISSING, NULL, NAN, a line without a unit, or a place without a file. */
#define CT_MISSING UINT64_MAX
union ct_cell {
	uint64_t number; /* UINT, ADDRESS, BOOL */
	double real;
	const char *text; /* TEXT, NAME: UTF-8; valid until the next row */
	struct ct_finding_site line;
	struct ct_source_line place;
};

struct ct_table_sink;
struct ct_table_def;

/* A table whose rows belong to rows of another: JSON has them within these, other formats as a
 * table of its own that begins with the other one's key. People see none of them. */
struct ct_table_child {
	const char *key;                  /* in JSON */
	const struct ct_table_def *table; /* rows: not used */
};

struct ct_table_def {
	const char *name;
	const char *title; /* above its rows; NULL: it is for programs alone */
	const char *help;  /* a sentence or two on what the rows are */
	const char *order; /* the column that rows come by, the greatest first; NULL, "": none */
	const struct ct_column_def *column;
	size_t columns;
	const struct ct_table_link *link;   /* ends with columns NULL; NULL: none */
	const struct ct_table_child *child; /* ends with key NULL; NULL: none */
	/* Calls ct_table_put_row for each row of `from`, which is of the type that the table says,
	 * and ct_table_put_child for those that belong to it, child by child. May be called several
	 * times. 0, or what these returned, or a negative error. */
	int (*rows)(const void *from, struct ct_table_sink *sink);
	void (*fill)(const void *row, union ct_cell *cell);
};

/* Is there nothing in the cell? */
bool ct_cell_is_missing(const struct ct_column_def *column, const union ct_cell *cell);

/* "uint" */
const char *ct_column_type_text(enum ct_column_type type);

/* SIZE_MAX: there is no such column. */
size_t ct_table_column_of(const struct ct_table_def *table, const char *name);

#endif
