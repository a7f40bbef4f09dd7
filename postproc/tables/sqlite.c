/* SPDX-License-Identifier: Apache-2.0 */
/* An SQLite database: one transaction, keys, indices, and the thesis' names as views. */
#include "postproc/tables/output.h"
#include "postproc/tables/sink.h"
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct sqlite {
	sqlite3 *db;
	sqlite3_stmt *insert;
};

static int fail(struct ct_table_sink *sink)
{
	struct sqlite *sqlite = sink->state;
	int code = sqlite3_errcode(sqlite->db);

	snprintf(sink->why, sizeof(sink->why), "%s", sqlite3_errmsg(sqlite->db));
	return code == SQLITE_NOMEM ? -ENOMEM : code == SQLITE_FULL ? -ENOSPC : -EIO;
}

static int run(struct ct_table_sink *sink, const char *sql)
{
	struct sqlite *sqlite = sink->state;

	return sqlite3_exec(sqlite->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(sink);
}

/* An SQL statement as it grows. */
struct statement {
	char *text;
	size_t bytes;
	FILE *out;
};

static int statement_open(struct statement *statement)
{
	statement->text = NULL;
	statement->out = open_memstream(&statement->text, &statement->bytes);
	return statement->out ? 0 : -ENOMEM;
}

static int statement_run(struct ct_table_sink *sink, struct statement *statement)
{
	int err = fclose(statement->out) == 0 ? run(sink, statement->text) : -ENOMEM;

	free(statement->text);
	return err;
}

/* Nothing is to be kept if this fails: the file has its name only at the end. */
static int begin(struct ct_table_sink *sink)
{
	struct sqlite *sqlite = calloc(1, sizeof(*sqlite));
	char sql[256];

	if (!sqlite)
		return -ENOMEM;
	sink->state = sqlite;
	if (sqlite3_open_v2(ct_output_path(sink->output), &sqlite->db, SQLITE_OPEN_READWRITE,
			    NULL) != SQLITE_OK)
		return fail(sink);
	snprintf(sql, sizeof(sql),
		 "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; "
		 "PRAGMA page_size=8192; PRAGMA user_version=%d; BEGIN",
		 CT_TABLES_SCHEMA);
	return run(sink, sql);
}

static const char *type_text(const struct ct_column_def *column)
{
	switch (column->type) {
	case CT_COLUMN_REAL:
		return "REAL";
	case CT_COLUMN_TEXT:
		return "TEXT";
	default:
		return "INTEGER";
	}
}

/* A single number as the key is the row's id; other keys are where the rows are. */
static bool has_rowid(const struct ct_table_def *table)
{
	return !(table->column[0].flags & CT_COLUMN_KEY) ||
	       (!(table->column[1].flags & CT_COLUMN_KEY) &&
		table->column[0].type == CT_COLUMN_UINT);
}

static int create_table(struct ct_table_sink *sink)
{
	const struct ct_table_def *table = sink->table;
	struct statement statement;
	const char *before = ", PRIMARY KEY (";

	if (statement_open(&statement) < 0)
		return -ENOMEM;
	fprintf(statement.out, "CREATE TABLE \"%s\" (", table->name);
	for (size_t i = 0; i < table->columns; i++)
		fprintf(statement.out, "%s\"%s\" %s%s", i ? ", " : "", table->column[i].name,
			type_text(&table->column[i]),
			table->column[i].flags & CT_COLUMN_OPTIONAL ? "" : " NOT NULL");
	for (size_t i = 0; i < table->columns && table->column[i].flags & CT_COLUMN_KEY; i++) {
		fprintf(statement.out, "%s\"%s\"", before, table->column[i].name);
		before = ", ";
	}
	if (table->column[0].flags & CT_COLUMN_KEY)
		fputc(')', statement.out);
	for (const struct ct_table_link *link = table->link; link && link->columns; link++)
		if (link->table && ct_table_sink_has(sink, link->table))
			fprintf(statement.out, ", FOREIGN KEY (%s) REFERENCES %s (%s)",
				link->columns, link->table, link->key);
	fprintf(statement.out, ")%s", has_rowid(table) ? "" : " WITHOUT ROWID");
	return statement_run(sink, &statement);
}

static int prepare_insert(struct ct_table_sink *sink)
{
	struct sqlite *sqlite = sink->state;
	char sql[256];
	int used = snprintf(sql, sizeof(sql), "INSERT INTO \"%s\" VALUES (", sink->table->name);

	for (size_t i = 0; i < sink->table->columns; i++)
		used += snprintf(sql + used, sizeof(sql) - (size_t)used, "%s?", i ? "," : "");
	snprintf(sql + used, sizeof(sql) - (size_t)used, ")");
	return sqlite3_prepare_v2(sqlite->db, sql, -1, &sqlite->insert, NULL) == SQLITE_OK
		   ? 0
		   : fail(sink);
}

static int begin_table(struct ct_table_sink *sink)
{
	int err = create_table(sink);

	return err == 0 ? prepare_insert(sink) : err;
}

static int row(struct ct_table_sink *sink, const union ct_cell *cell)
{
	struct sqlite *sqlite = sink->state;
	int code = SQLITE_OK;

	for (size_t i = 0; i < sink->table->columns && code == SQLITE_OK; i++) {
		const struct ct_column_def *column = &sink->table->column[i];
		int at = (int)i + 1;

		if (ct_cell_is_missing(column, &cell[i]))
			code = sqlite3_bind_null(sqlite->insert, at);
		else if (column->type == CT_COLUMN_REAL)
			code = sqlite3_bind_double(sqlite->insert, at, cell[i].real);
		else if (column->type == CT_COLUMN_TEXT)
			code =
			    sqlite3_bind_text(sqlite->insert, at, cell[i].text, -1, SQLITE_STATIC);
		else
			code =
			    sqlite3_bind_int64(sqlite->insert, at, (sqlite3_int64)cell[i].number);
	}
	if (code != SQLITE_OK || sqlite3_step(sqlite->insert) != SQLITE_DONE ||
	    sqlite3_reset(sqlite->insert) != SQLITE_OK)
		return fail(sink);
	return 0;
}

/* "part, launch" of launches: launches_part_launch. */
static int create_index(struct ct_table_sink *sink, const char *columns)
{
	struct statement statement;

	if (statement_open(&statement) < 0)
		return -ENOMEM;
	fprintf(statement.out, "CREATE INDEX \"%s_", sink->table->name);
	for (const char *c = columns; *c; c++)
		if (*c != ' ')
			fputc(*c == ',' ? '_' : *c, statement.out);
	fprintf(statement.out, "\" ON \"%s\" (%s)", sink->table->name, columns);
	return statement_run(sink, &statement);
}

/* Do the columns begin the primary key? Then rows are found by them as it is. */
static bool begins_key(const struct ct_table_def *table, const char *columns)
{
	size_t i = 0;

	while (*columns) {
		size_t length = strcspn(columns, ",");

		if (i == table->columns || !(table->column[i].flags & CT_COLUMN_KEY) ||
		    strlen(table->column[i].name) != length ||
		    memcmp(table->column[i].name, columns, length))
			return false;
		i++;
		columns += length;
		columns += strspn(columns, ", ");
	}
	return true;
}

static int end_table(struct ct_table_sink *sink)
{
	struct sqlite *sqlite = sink->state;
	int err = 0;

	sqlite3_finalize(sqlite->insert);
	sqlite->insert = NULL;
	for (const struct ct_table_link *link = sink->table->link;
	     link && link->columns && err == 0; link++)
		if (!begins_key(sink->table, link->columns))
			err = create_index(sink, link->columns);
	return err;
}

static bool has_all(const struct ct_table_sink *sink, const char *tables)
{
	while (*tables) {
		size_t length = strcspn(tables, " ");
		bool found = false;

		for (size_t i = 0; sink->tables[i]; i++)
			found |= strlen(sink->tables[i]->name) == length &&
				 !memcmp(sink->tables[i]->name, tables, length);
		if (!found)
			return false;
		tables += length + (tables[length] == ' ');
	}
	return true;
}

static int end(struct ct_table_sink *sink)
{
	struct sqlite *sqlite = sink->state;
	int err = 0;

	for (const struct ct_table_view *view = sink->views; view && view->name && err == 0; view++)
		if (has_all(sink, view->tables))
			err = run(sink, view->sql);
	if (err == 0)
		err = run(sink, "COMMIT");
	if (err == 0 && sqlite3_close(sqlite->db) != SQLITE_OK)
		return fail(sink);
	if (err == 0)
		sqlite->db = NULL;
	return err;
}

static void close_sqlite(struct ct_table_sink *sink)
{
	struct sqlite *sqlite = sink->state;

	if (!sqlite)
		return;
	sqlite3_finalize(sqlite->insert);
	sqlite3_close(sqlite->db);
	free(sqlite);
}

const struct ct_table_format ct_format_sqlite = {
    .name = "sqlite",
    .begin = begin,
    .begin_table = begin_table,
    .row = row,
    .end_table = end_table,
    .end = end,
    .close = close_sqlite,
};
