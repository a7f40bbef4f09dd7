/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of every table, by the layouts of trace/codec/table.h: new tables are tested with the
 * others. */
#include "tests/unit/trace/trace_fixture.h"
#include "trace/codec/chunk.h"
#include "trace/codec/table.h"
#include "trace/names/directory.h"
#include "trace/write/names.h"

#include <criterion/criterion.h>
#include <cudatrace/error.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 1000u
#define FILE_NAME "tables-0.ct"

static char *directory;
static struct ct_trace *trace;

static void remove_directory(void)
{
	ct_trace_close(trace);
	trace = NULL;
	fixture_remove(directory);
}

/* Each column goes its own way up and down, over the whole of its type. */
static uint64_t number_for(uint32_t column, uint32_t row)
{
	static const uint64_t ends[] = {0, UINT64_MAX, 1, UINT64_MAX / 2 + 1, UINT32_MAX};

	if (row % 7 == column % 7)
		return ends[row % 5];
	return (uint64_t)row * (row + column) * (column % 3 == 0 ? 1 : 0x100000001ull);
}

static bool is_wide(const struct ct_table_column *column)
{
	return ct_field_bytes(column->field.type) == 8;
}

/* Written column by column, not by the struct. */
static char *make_rows(const struct ct_table_layout *layout, uint32_t first, uint32_t count)
{
	char *rows = calloc(count, layout->row_bytes);

	for (uint32_t row = 0; row < count; row++)
		for (uint32_t i = 0; i < layout->column_count; i++) {
			const struct ct_table_column *column = &layout->columns[i];
			uint64_t number = number_for(i, first + row);

			memcpy(rows + row * layout->row_bytes + column->field.at, &number,
			       is_wide(column) ? 8 : 4);
		}
	return rows;
}

static void check_rows(const struct ct_table_layout *layout, const void *rows, uint32_t first,
		       uint32_t count)
{
	char *expected = make_rows(layout, first, count);

	cr_assert(memcmp(rows, expected, (size_t)count * layout->row_bytes) == 0, "table %s",
		  layout->name);
	free(expected);
}

static struct ct_writer *begin(void)
{
	const struct ct_writer_options options = {.level = 1};
	const struct ct_event_process event = {
	    .header = {CT_EVENT_PROCESS, 0, sizeof(event), 1},
	};
	struct ct_writer *writer;
	char why[512];

	directory = fixture_directory();
	cr_assert_eq(ct_writer_open(&writer, directory, &options, why, sizeof(why)), 0, "%s", why);
	cr_assert_eq(ct_writer_event(writer, &event.header), 0); /* no trace is without any */
	return writer;
}

static void open_written(void)
{
	char why[512];

	cr_assert_eq(ct_trace_open(&trace, directory, why, sizeof(why)), 0, "%s", why);
}

static size_t warnings(void)
{
	const char *const *lines;

	return ct_trace_warnings(trace, &lines);
}

static void write_rows(struct ct_writer *writer, const struct ct_table_layout *layout,
		       uint32_t first, uint32_t count)
{
	char *rows = make_rows(layout, first, count);
	uint64_t number;

	cr_assert_eq(ct_writer_rows(writer, layout->number, rows, count, &number), 0);
	cr_expect_eq(number, first + 1u);
	free(rows);
}

static void add_names(struct ct_names *names, const struct ct_table_layout *layout)
{
	char *rows = make_rows(layout, 0, ROWS);

	for (uint32_t i = 0; i < ROWS; i++)
		cr_assert_eq(
		    ct_names_row(names, layout->number, rows + (size_t)i * layout->row_bytes), 0);
	cr_expect_eq(ct_names_rows(names, layout->number), ROWS);
	free(rows);
}

/* The tables in turns, so that chunks of each stand between those of the others. */
static void write_all(void)
{
	struct ct_writer *writer = begin();
	struct ct_names names = {.count = 0};

	for (uint32_t first = 0; first < ROWS; first += ROWS / 4)
		for (uint32_t table = 1; table < CT_TABLES; table++)
			if (!ct_table_layout(table)->is_of_names)
				write_rows(writer, ct_table_layout(table), first, ROWS / 4);
	cr_assert_eq(ct_writer_close(writer), 0);
	for (uint32_t table = 1; table < CT_TABLES; table++)
		if (ct_table_layout(table)->is_of_names)
			add_names(&names, ct_table_layout(table));
	cr_assert_eq(ct_names_write(&names, directory, 0, 1), 0);
	ct_names_fini(&names);
}

#define STRINGS 40000u /* more than a chunk of them holds */

/* Each with its row. */
static void write_strings(const char *what)
{
	struct ct_names names = {.count = 0};
	char text[100];
	int err = 0;

	for (uint32_t i = 0; i < STRINGS; i++) {
		struct ct_row_source_line row = {.line = i};

		snprintf(text, sizeof(text), "%s %060u", what, i);
		row.text = ct_names_string(&names, text, &err);
		cr_assert_eq(ct_names_string(&names, text, &err), row.text, "each once");
		cr_assert_eq(ct_names_row(&names, CT_TABLE_SOURCE_LINE, &row), 0);
	}
	cr_expect_eq(ct_names_string(&names, "", &err), 0);
	cr_assert_eq(err, 0);
	cr_assert_eq(ct_names_write(&names, directory, 0, 1), 0);
	ct_names_fini(&names);
}

static void check_strings(const char *what)
{
	const struct ct_row_source_line *rows;
	size_t count;
	char text[100];

	cr_assert_eq(ct_trace_rows(trace, 0, CT_TABLE_SOURCE_LINE, (const void **)&rows, &count),
		     0);
	cr_assert_eq(count, STRINGS);
	for (uint32_t i = 0; i < STRINGS; i++) {
		snprintf(text, sizeof(text), "%s %060u", what, i);
		cr_assert_str_eq(ct_trace_string(trace, 0, rows[i].text), text);
	}
}

/* Beside those of the part's events, and whole: what was there is replaced. */
Test(tables, of_names_have_strings_of_their_own, .fini = remove_directory)
{
	struct ct_writer *writer = begin();
	uint32_t own;

	cr_assert_eq(ct_writer_string(writer, "own", &own), 0);
	cr_assert_eq(ct_writer_close(writer), 0);
	write_strings("then");
	write_strings("now");
	open_written();
	check_strings("now");
	cr_expect_str_eq(ct_trace_string(trace, 0, own), "own");
	cr_expect_eq(warnings(), 0);
}

/* Names that cannot be read are none; the rest of the trace is there. */
Test(tables, of_names_may_be_damaged, .fini = remove_directory)
{
	size_t bytes, count;
	const struct ct_row_source_line *rows;
	char *content;

	cr_assert_eq(ct_writer_close(begin()), 0);
	write_strings("then");
	content = fixture_read(directory, "names-0.ct", &bytes);
	content[sizeof(struct ct_chunk_header) + 3] ^= 0x55;
	fixture_write(directory, "names-0.ct", content, bytes);
	free(content);
	open_written();
	cr_expect_gt(warnings(), 0);
	cr_assert_eq(ct_trace_rows(trace, 0, CT_TABLE_SOURCE_LINE, (const void **)&rows, &count),
		     0);
	cr_assert_eq(count, STRINGS);
	cr_expect_str_eq(ct_trace_string(trace, 0, rows[0].text), "");
	cr_expect_neq(*ct_trace_string(trace, 0, rows[STRINGS - 1].text), '\0');
}

Test(tables, layouts_are_dense)
{
	for (uint32_t table = 1; table < CT_TABLES; table++) {
		const struct ct_table_layout *layout = ct_table_layout(table);
		uint32_t bytes = 0;

		cr_assert(layout, "table %u", table);
		for (uint32_t i = 0; i < layout->column_count; i++) {
			cr_expect_eq(layout->columns[i].field.at, bytes, "%s.%s", layout->name,
				     layout->columns[i].field.name);
			bytes += is_wide(&layout->columns[i]) ? 8 : 4;
		}
		cr_expect_eq(layout->row_bytes, bytes, "%s has padding", layout->name);
	}
	cr_expect_null(ct_table_layout(0));
	cr_expect_null(ct_table_layout(CT_TABLES));
}

Test(tables, come_back, .fini = remove_directory)
{
	write_all();
	open_written();
	for (uint32_t table = 1; table < CT_TABLES; table++) {
		const void *rows, *again;
		size_t count;

		cr_assert_eq(ct_trace_rows(trace, 0, table, &rows, &count), 0);
		cr_assert_eq(count, ROWS);
		check_rows(ct_table_layout(table), rows, 0, ROWS);
		cr_expect_eq(ct_trace_rows(trace, 0, table, &again, &count), 0);
		cr_expect_eq(again, rows, "loaded once");
		ct_trace_drop_rows(trace, 0, table);
		cr_assert_eq(ct_trace_rows(trace, 0, table, &again, &count), 0);
		cr_expect_eq(again, rows, "others may look at them");
	}
	cr_expect_eq(warnings(), 0);
}

Test(tables, that_are_dropped_come_back_with_their_only_reader, .fini = remove_directory)
{
	const void *rows, *others, *again;
	size_t count;

	write_all();
	open_written();
	ct_trace_have_one_reader(trace);
	ct_trace_drop_rows(trace, 0, CT_TABLE_CALL);
	cr_assert_eq(ct_trace_rows(trace, 0, CT_TABLE_CALL, &rows, &count), 0);
	cr_assert_eq(ct_trace_rows(trace, 0, CT_TABLE_ACTIVITY, &others, &count), 0);
	ct_trace_drop_rows(trace, 0, CT_TABLE_CALL);
	check_rows(ct_table_layout(CT_TABLE_ACTIVITY), others, 0, ROWS);
	cr_assert_eq(ct_trace_rows(trace, 0, CT_TABLE_CALL, &again, &count), 0);
	cr_assert_eq(count, ROWS);
	check_rows(ct_table_layout(CT_TABLE_CALL), again, 0, ROWS);
}

Test(tables, of_a_trace_without_are_empty, .fini = remove_directory)
{
	const void *rows = "";
	size_t count = 1;

	cr_assert_eq(ct_writer_close(begin()), 0);
	cr_expect_not(fixture_has(directory, FILE_NAME));
	open_written();
	cr_expect_eq(ct_trace_rows(trace, 0, CT_TABLE_CALL, &rows, &count), 0);
	cr_expect_null(rows);
	cr_expect_eq(count, 0);
	cr_expect_eq(ct_trace_rows(trace, 7, CT_TABLE_CALL, &rows, &count), 0, "no such part");
	cr_expect_eq(count, 0);
}

Test(tables, larger_than_a_chunk, .fini = remove_directory)
{
	const struct ct_table_layout *layout = ct_table_layout(CT_TABLE_STACK);
	uint32_t many = ct_table_rows_max(layout) + 10;
	struct ct_writer *writer = begin();
	const void *rows;
	size_t count;

	write_rows(writer, layout, 0, many);
	cr_assert_eq(ct_writer_close(writer), 0);
	cr_expect_eq(fixture_chunks(directory, FILE_NAME).chunks, 2);
	open_written();
	cr_assert_eq(ct_trace_rows(trace, 0, CT_TABLE_STACK, &rows, &count), 0);
	cr_assert_eq(count, many);
	check_rows(layout, rows, 0, many);
}

/* Without the bytes of its second of three chunks of a table. */
static void write_damaged(const struct ct_table_layout *layout)
{
	struct ct_writer *writer = begin();
	struct ct_chunk_header header;
	size_t bytes, second;
	char *content;

	for (uint32_t i = 0; i < 3; i++)
		write_rows(writer, layout, 100 * i, 100);
	cr_assert_eq(ct_writer_close(writer), 0);
	content = fixture_read(directory, FILE_NAME, &bytes);
	memcpy(&header, content, sizeof(header));
	second = sizeof(header) + header.coded_bytes;
	content[second + sizeof(header) + 3] ^= 0x55;
	fixture_write(directory, FILE_NAME, content, bytes);
	free(content);
	open_written();
}

Test(tables, numbered_rows_keep_their_places, .fini = remove_directory)
{
	const struct ct_table_layout *layout = ct_table_layout(CT_TABLE_STACK);
	const char *rows;
	size_t count;

	write_damaged(layout);
	cr_assert_eq(ct_trace_rows(trace, 0, layout->number, (const void **)&rows, &count), 0);
	cr_assert_eq(count, 300);
	check_rows(layout, rows, 0, 100);
	check_rows(layout, rows + 200 * layout->row_bytes, 200, 100);
	for (size_t i = 100 * layout->row_bytes; i < 200 * layout->row_bytes; i++)
		cr_assert_eq(rows[i], 0);
	cr_expect_gt(warnings(), 0);
}

Test(tables, plain_rows_close_up, .fini = remove_directory)
{
	const struct ct_table_layout *layout = ct_table_layout(CT_TABLE_CALL);
	const char *rows;
	size_t count;

	write_damaged(layout);
	cr_assert_eq(ct_trace_rows(trace, 0, layout->number, (const void **)&rows, &count), 0);
	cr_assert_eq(count, 200);
	check_rows(layout, rows, 0, 100);
	check_rows(layout, rows + 100 * layout->row_bytes, 200, 100);
	cr_expect_gt(warnings(), 0);
}

/* A payload whose writer knows more columns, or fewer. */
Test(tables, other_versions_columns)
{
	const struct ct_table_layout *layout = ct_table_layout(CT_TABLE_CALL);
	struct ct_table_layout wider = *layout;
	struct ct_table_column *columns = calloc(layout->column_count + 1, sizeof(*columns));
	char *rows = make_rows(layout, 0, 10), *decoded = malloc(10 * layout->row_bytes);
	struct ct_buffer payload = {0};

	memcpy(columns, layout->columns, layout->column_count * sizeof(*columns));
	columns[layout->column_count] = columns[0];
	wider.columns = columns;
	wider.column_count++;
	cr_assert_eq(ct_table_encode(&wider, rows, 10, &payload), 0);
	cr_assert_eq(ct_table_decode(layout, payload.bytes, payload.size, decoded, 10), 0);
	check_rows(layout, decoded, 0, 10);

	payload.size = 0;
	wider.column_count = 1;
	cr_assert_eq(ct_table_encode(&wider, rows, 10, &payload), 0);
	cr_assert_eq(ct_table_decode(layout, payload.bytes, payload.size, decoded, 10), 0);
	for (uint32_t row = 0; row < 10; row++)
		for (uint32_t i = 0; i < layout->column_count; i++)
			cr_expect_eq(ct_column_number(decoded + row * layout->row_bytes,
						      &layout->columns[i]),
				     i == 0 ? number_for(0, row) : 0);
	ct_buffer_fini(&payload);
	free(columns);
	free(decoded);
	free(rows);
}

/* No payload that is cut or changed is read beyond its end, nor taken for more rows. */
Test(tables, damaged_payloads)
{
	const struct ct_table_layout *layout = ct_table_layout(CT_TABLE_ACTIVITY);
	char *rows = make_rows(layout, 0, 20), *decoded = malloc(20 * layout->row_bytes);
	struct ct_buffer payload = {0};

	cr_assert_eq(ct_table_encode(layout, rows, 20, &payload), 0);
	for (size_t bytes = 0; bytes < payload.size; bytes++) {
		void *cut = malloc(bytes ? bytes : 1);

		memcpy(cut, payload.bytes, bytes);
		cr_expect_eq(ct_table_decode(layout, cut, bytes, decoded, 20), -CT_EFORMAT,
			     "cut at %zu", bytes);
		free(cut);
	}
	cr_expect_eq(ct_table_decode(layout, payload.bytes, payload.size, decoded, 19),
		     -CT_EFORMAT);
	for (size_t i = 0; i < payload.size; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			((char *)payload.bytes)[i] ^= (char)(1u << bit);
			(void)ct_table_decode(layout, payload.bytes, payload.size, decoded, 20);
			((char *)payload.bytes)[i] ^= (char)(1u << bit);
		}
	ct_buffer_fini(&payload);
	free(decoded);
	free(rows);
}
