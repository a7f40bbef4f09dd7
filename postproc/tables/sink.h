/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the rows of tables go: a format that turns them into bytes, or memory.
 *
 *   ct_table_sink_begin ── ct_table_write_rows, for each ── ct_table_sink_end ──
 * ct_table_sink_close
 *
 * Programs are given each line of the source as five columns, `file`, `line`, `column`, `unit` and
 * `site`, which have the name of the column before theirs unless it is `line`; a place as `file`
 * and `line`, likewise unless it is `place`; and names whole.
 */
#ifndef CT_POSTPROC_TABLES_SINK_H
#define CT_POSTPROC_TABLES_SINK_H

#include "postproc/tables/table.h"
#include <stdio.h>

struct ct_output;
struct ct_style;

/* The schema of JSON, of the database and of HDF5 files (docs/export.md). */
#define CT_TABLES_SCHEMA 2

/* Functions return 0 or a negative error, with sink->why set if they know more than the error's
 * text. NULL: nothing to be done. */
struct ct_table_format {
	const char *name;
	bool is_directory;
	bool is_described;  /* it is given columns as they are described */
	bool is_for_people; /* likewise, and no children */
	/* A row that belongs to the last one; NULL: children are tables of their own. */
	int (*child)(struct ct_table_sink *sink, size_t child, const struct ct_table_def *table,
		     const union ct_cell *cell);
	int (*begin)(struct ct_table_sink *sink);
	int (*begin_table)(struct ct_table_sink *sink);
	int (*row)(struct ct_table_sink *sink, const union ct_cell *cell);
	int (*end_table)(struct ct_table_sink *sink);
	int (*end)(struct ct_table_sink *sink);
	void (*close)(struct ct_table_sink *sink); /* after end, or after a failure anywhere */
};

/* A table as programs are given it. */
struct ct_flat_table {
	struct ct_table_def table;
	struct ct_column_def column[CT_TABLE_COLUMNS_MAX];
	char name[CT_TABLE_COLUMNS_MAX][32];
	char keys[128]; /* of the table that it is a child of */
	struct ct_table_link link[2];
};

void ct_table_flatten(struct ct_flat_table *flat, const struct ct_table_def *table);
void ct_table_flatten_child(struct ct_flat_table *flat, const struct ct_table_def *table,
			    size_t child);

/* A view of a database. */
struct ct_table_view {
	const char *name;
	const char *tables; /* that it needs, separated by spaces */
	const char *sql;
};

struct ct_table_sink {
	/* The format is the caller's. */
	const struct ct_table_format *format;
	struct ct_output *output;                 /* of SQLite, CSV and HDF5 */
	FILE *out;                                /* of JSON and text; not closed */
	const struct ct_unit *unit;               /* the trace's; NULL: there are none */
	const struct ct_table_def *const *tables; /* that will come; ends with NULL; NULL: not
						   * known. Foreign keys are between these */
	const struct ct_table_view *views;        /* of SQLite; ends with name NULL; NULL: none */
	const char *const *head;                  /* of JSON: keys and texts that come first, in
						   * turn; ends with NULL; NULL: none */
	const struct ct_style *style;             /* of text */
	size_t rows_max;                          /* of a table that people read */
	void *user;

	/* For tables that number their rows: set to 0 before each walk. */
	uint64_t given;

	/* For formats. */
	const struct ct_table_def *table; /* the one that is written */
	uint64_t rows;                    /* of it, so far */
	void *state;                      /* the format's */
	char why[256];

	/* These are of sink.c. */
	const struct ct_table_def *described; /* that the rows are of */
	size_t child;                         /* of it that is written; SIZE_MAX: its own rows */
	size_t keys;                          /* of its row, that rows of the child begin with */
	union ct_cell key[CT_TABLE_COLUMNS_MAX];
	struct ct_flat_table flat;
};

/* All formats but text: each is in postproc/tables/<name>.c. */
#define CT_TABLE_FORMATS_EACH(F) F(json) F(csv) F(sqlite) F(hdf5)
#define CT_TABLE_FORMAT(name) extern const struct ct_table_format ct_format_##name;
CT_TABLE_FORMATS_EACH(CT_TABLE_FORMAT)

/* Words of an option, behind those that the command has beside them. */
#define CT_TABLE_FORMAT_WORD(name) "|" #name
#define CT_TABLE_FORMATS CT_TABLE_FORMATS_EACH(CT_TABLE_FORMAT_WORD)
/* NULL: there is none of that name. */
const struct ct_table_format *ct_table_format_of(const char *name);

int ct_table_sink_begin(struct ct_table_sink *sink);
/* All rows of a table; none if from is NULL. */
int ct_table_write_rows(struct ct_table_sink *sink, const struct ct_table_def *table,
			const void *from);
int ct_table_sink_end(struct ct_table_sink *sink);
/* Releases what the format holds; err: the first error, whose text goes to sink->why if that is
 * empty. Returns it. */
int ct_table_sink_close(struct ct_table_sink *sink, int err);

/* For tables: row is of the struct that their expressions are about. 0 or a negative error. */
int ct_table_put_row(struct ct_table_sink *sink, const void *row);
/* A row of that child of the table that belongs to the row before. Likewise. */
int ct_table_put_child(struct ct_table_sink *sink, size_t child, const void *row);
/* A row of cells, one for each described column. */
int ct_table_put_cells(struct ct_table_sink *sink, const union ct_cell *cell);

bool ct_table_sink_has(const struct ct_table_sink *sink, const char *table);

#endif
