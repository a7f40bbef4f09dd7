/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of ctpost export, described once for all formats (docs/export.md).
 *
 * A table is a list of columns and a function that hands out its rows one by
 * one. Columns stand in *_tables.def, a line each: name, type, unit, meaning
 * and the expression that fills it. A format turns tables and rows into bytes.
 */
#ifndef CT_EXPORT_TABLES_H
#define CT_EXPORT_TABLES_H

#include "postproc/analysis/access/words.h"
#include "postproc/analysis/comm/comm.h"
#include "postproc/analysis/totals/totals.h"
#include "postproc/analysis/values/analysis.h"
#include "postproc/render/base/output.h"
#include "postproc/render/export/clock.h"
#include "postproc/render/export/kernels.h"
#include "postproc/render/export/lists.h"
#include "postproc/scan/each.h"
#include "postproc/symbols/stacks.h"
#include "trace/read/reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_EXPORT_SCHEMA 1
#define CT_EXPORT_TABLES_MAX 64
#define CT_EXPORT_COLUMNS_MAX 48

enum ct_column_type {
	CT_COLUMN_UINT,
	CT_COLUMN_REAL,
	CT_COLUMN_BOOL,
	CT_COLUMN_TEXT,
	CT_COLUMN_ADDRESS, /* a number, written in hexadecimal where people read it */
};

enum ct_column_flags {
	CT_COLUMN_KEY = 1,      /* part of the primary key */
	CT_COLUMN_OPTIONAL = 2, /* may be missing */
};

struct ct_export_column {
	const char *name;
	enum ct_column_type type;
	unsigned flags;
	const char *unit; /* "bytes", "ns"; "" none */
	const char *help;
};

/* A foreign key or an index, as in SQL. */
struct ct_export_link {
	const char *columns; /* "part, launch" */
	const char *table;   /* that they are the key of; NULL: an index */
	const char *key;     /* its columns */
};

/* Missing: CT_MISSING, NULL or NAN. */
#define CT_MISSING UINT64_MAX
union ct_cell {
	uint64_t number; /* UINT, ADDRESS, BOOL */
	double real;
	const char *text; /* UTF-8; valid until the next row */
};

enum ct_export_needs {
	CT_NEEDS_SCAN = 1, /* export.totals */
	CT_NEEDS_COMM = 2, /* export.comm */
	CT_NEEDS_ORDER = 4,
	CT_IS_LARGE = 8,       /* left out when there are too many rows, unless asked for */
	CT_IS_ON_REQUEST = 16, /* only if asked for */
	CT_IS_ALWAYS = 32,
	CT_NEEDS_TRANSFERS = 64, /* export.lists */
	CT_NEEDS_CTAS = 128,
	CT_NEEDS_STACKS = 256,                    /* export.stacks */
	CT_NEEDS_VALUES = CT_IS_ON_REQUEST | 512, /* export.values */
	CT_NEEDS_ACCESS = 1024,                   /* export.access */
	CT_NEEDS_MODEL = 2048,                    /* export.model */
};

struct ct_export_sink;
struct ct_export;
struct ct_model_all;

struct ct_export_table {
	const char *name;
	const char *help;
	unsigned needs;
	const struct ct_export_column *column;
	size_t columns;
	const struct ct_export_link *link; /* ends with columns NULL */
	/* Calls ct_export_sink_row for each. 0 or what that returned, or a negative error. */
	int (*rows)(struct ct_export *export, struct ct_export_sink *sink);
	uint64_t (*count)(struct ct_export *export); /* at most so many; of large tables */
	void (*fill)(const void *row, union ct_cell *cell);
};

struct ct_export_pair {
	const char *key;
	const char *value;
};

/* What tables are made from. */
struct ct_export {
	struct ct_trace *trace;
	const struct ct_totals *totals;
	struct ct_comm *comm;
	const struct ct_values_figures *values;
	const struct ct_access_results *access;
	const struct ct_model_all *model;
	struct ct_export_lists lists;
	const struct ct_order *order;
	struct ct_stack_tree stacks;
	struct ct_export_kernels kernels;
	uint64_t start_ns;                 /* clock.h */
	const struct ct_export_pair *meta; /* of the call: version, options; ends with key NULL */
	uint64_t history_first, history_last;                              /* addresses */
	int (*each)(struct ct_export *export, const struct ct_each *each); /* with progress */
	void *user;
};

/* All there are, those that others refer to first. */
extern const struct ct_export_table *const ct_export_tables[]; /* ends with NULL */

/* How a row's cell can be missing. */
bool ct_cell_is_missing(const struct ct_export_column *column, const union ct_cell *cell);

/* An output format. Functions return 0 or a negative error, with sink->why set
 * if they know more than the error's text. */
struct ct_export_format {
	const char *name;
	bool is_directory;
	int (*begin)(struct ct_export_sink *sink); /* sink->tables are chosen */
	int (*begin_table)(struct ct_export_sink *sink);
	int (*row)(struct ct_export_sink *sink, const union ct_cell *cell);
	int (*end_table)(struct ct_export_sink *sink);
	int (*end)(struct ct_export_sink *sink);
	void (*close)(struct ct_export_sink *sink); /* after end, or after a failure anywhere */
};

struct ct_export_sink {
	const struct ct_export_format *format;
	struct ct_output *output;
	const struct ct_export_table *const *tables; /* chosen; ends with NULL */
	const struct ct_export_table *table;         /* the one being written */
	uint64_t rows;                               /* of it so far */
	void *state;                                 /* the format's */
	char why[256];
};

extern const struct ct_export_format ct_format_sqlite, ct_format_csv, ct_format_json,
    ct_format_hdf5;

bool ct_export_sink_has(const struct ct_export_sink *sink, const char *table);

/* row: of the struct that the table's expressions are about. 0 or a negative error. */
int ct_export_sink_row(struct ct_export_sink *sink, const void *row);

/* Write all tables of the sink. 0 or a negative error, with sink->why set. */
int ct_export_write(struct ct_export *export, struct ct_export_sink *sink);

#endif
