/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables, as cudatrace/tables.def says: what their rows are made of, and the payload of TABLE
 * chunks (docs/trace-format.md, "Tables"). Little-endian:
 *
 *   u32 rows, u32 columns | u32 bytes of each column | the columns
 *
 * A column holds a value of each row: STEP a base-128 varint of the zigzag-coded difference to the
 * row before (of the first: to 0), modulo 2^64 or 2^32, WORD the value itself. Whoever walks over
 * the columns by these tables needs to know no table by name.
 */
#ifndef CT_TRACE_CODEC_TABLE_H
#define CT_TRACE_CODEC_TABLE_H

#include "base/buffer.h"
#include "trace/codec/event.h"
#include <stdbool.h>

enum ct_coding { CT_CODING_STEP, CT_CODING_WORD };

struct ct_table_column {
	struct ct_event_field field; /* its place: in the row's struct */
	enum ct_coding coding;
};

struct ct_table_layout {
	const char *name;  /* "call" */
	const char *title; /* "CALL" */
	const char *text, *rules;
	uint16_t number;
	uint16_t since; /* version of the format */
	bool is_numbered;
	bool is_of_names;   /* its rows stand in the file of names */
	uint32_t row_bytes; /* of the struct */
	uint32_t column_count;
	const struct ct_table_column *columns;
};

/* NULL: a table of a later version. */
const struct ct_table_layout *ct_table_layout(uint32_t number);

/* The most rows of a chunk: so many fit, however they are coded. */
uint32_t ct_table_rows_max(const struct ct_table_layout *layout);

/* Append the payload for these rows (structs of the table, 1 to rows_max) to an empty buffer.
 * -ENOMEM. */
int ct_table_encode(const struct ct_table_layout *layout, const void *rows, uint32_t count,
		    struct ct_buffer *payload);

/* Decode a payload of count rows into rows[count]. Columns that it lacks are 0, those that this
 * version does not know are left out. -CT_EFORMAT if it is not sound, or has another number of
 * rows; rows are then undefined. */
int ct_table_decode(const struct ct_table_layout *layout, const void *payload, size_t bytes,
		    void *rows, uint32_t count);

/* The value of a column in a row, as ct_event_number. */
uint64_t ct_column_number(const void *row, const struct ct_table_column *column);

#endif
