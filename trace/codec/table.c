/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the rows of tables, and codes them in chunks. */
#include "trace/codec/table.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define VARINT_BYTES_MAX 10u
#define COLUMNS_MAX 64u

/* clang-format off */
#define CT_VALUES(kind, values) static const struct ct_field_value values_of_##values[] = {
#define CT_VALUE(ID, number, name, text) {number, name, text},
#define CT_VALUES_END(kind, values) };
#include <cudatrace/tables.def>

#define CT_TABLE(NAME, number, name, since, KIND, text) \
	static const struct ct_table_column columns_of_##name[] = {
#define CT_COLUMN(table, TYPE, name, since, CODING, text) \
	{{#name, text, CT_FIELD_##TYPE, offsetof(struct ct_row_##table, name), since, 0, NULL}, \
	 CT_CODING_##CODING},
#define CT_COLUMN_OF(table, KIND, values, name, since, text) \
	{{#name, text, CT_FIELD_##KIND, offsetof(struct ct_row_##table, name), since, \
	  COUNT(values_of_##values), values_of_##values}, CT_CODING_STEP},
#define CT_TABLE_END(NAME, name, text) };
#include <cudatrace/tables.def>

#define CT_TABLE_END(NAME, name, text) static const char rules_of_##name[] = text;
#include <cudatrace/tables.def>

#define NUMBERED_BIT 1
#define NAMES_BIT 2
#define CT_KIND_PLAIN 0
#define CT_KIND_NUMBERED NUMBERED_BIT
#define CT_KIND_NAMES NAMES_BIT
#define CT_KIND_NAMES_NUMBERED (NAMES_BIT | NUMBERED_BIT)
#define CT_TABLE(NAME, number, name, since, KIND, text) \
	[number] = {#name, #NAME, text, rules_of_##name, number, since, \
		    (CT_KIND_##KIND & NUMBERED_BIT) != 0, (CT_KIND_##KIND & NAMES_BIT) != 0, \
		    sizeof(struct ct_row_##name), COUNT(columns_of_##name), columns_of_##name},
static const struct ct_table_layout layouts[CT_TABLES] = {
#include <cudatrace/tables.def>
};

#define CT_TABLE(NAME, number, name, since, KIND, text) \
	_Static_assert(COUNT(columns_of_##name) <= COLUMNS_MAX, "a column has a bit each");
#include <cudatrace/tables.def>
/* clang-format on */

const struct ct_table_layout *ct_table_layout(uint32_t number)
{
	return number < CT_TABLES && layouts[number].name ? &layouts[number] : NULL;
}

static size_t head_bytes(uint32_t columns)
{
	return 8 + 4 * (size_t)columns;
}

uint32_t ct_table_rows_max(const struct ct_table_layout *layout)
{
	return (uint32_t)((CT_CHUNK_RAW_MAX - head_bytes(layout->column_count)) /
			  (layout->column_count * VARINT_BYTES_MAX));
}

static bool is_wide(const struct ct_table_column *column)
{
	return ct_field_bytes(column->field.type) == sizeof(uint64_t);
}

static uint64_t load(const void *row, const struct ct_table_column *column)
{
	const char *at = (const char *)row + column->field.at;
	uint64_t wide;
	uint32_t narrow;

	if (is_wide(column)) {
		memcpy(&wide, at, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, at, sizeof(narrow));
	return narrow;
}

uint64_t ct_column_number(const void *row, const struct ct_table_column *column)
{
	uint64_t number = load(row, column);

	return column->field.type == CT_FIELD_I32 ? (uint64_t)(int64_t)(int32_t)number : number;
}

/* Small differences of either sign become small numbers. */
static uint64_t zigzag(int64_t step)
{
	return (uint64_t)step << 1 ^ (uint64_t)(step >> 63);
}

static char *put_varint(char *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (char)(number | 0x80);
	*at++ = (char)number;
	return at;
}

static char *encode_steps(char *at, const struct ct_table_column *column, const char *row,
			  size_t row_bytes, uint32_t count)
{
	uint64_t before = 0;

	for (uint32_t i = 0; i < count; i++, row += row_bytes) {
		uint64_t value = load(row, column), step = value - before;

		at = put_varint(
		    at, zigzag(is_wide(column) ? (int64_t)step : (int64_t)(int32_t)(uint32_t)step));
		before = value;
	}
	return at;
}

static char *encode_words(char *at, const struct ct_table_column *column, const char *row,
			  size_t row_bytes, uint32_t count)
{
	size_t bytes = ct_field_bytes(column->field.type);

	for (uint32_t i = 0; i < count; i++, row += row_bytes, at += bytes)
		memcpy(at, row + column->field.at, bytes);
	return at;
}

int ct_table_encode(const struct ct_table_layout *layout, const void *rows, uint32_t count,
		    struct ct_buffer *payload)
{
	const uint32_t numbers[2] = {count, layout->column_count};
	size_t head = head_bytes(layout->column_count);
	char *begin, *at;

	if (!ct_buffer_append(payload, NULL,
			      head + (size_t)count * layout->column_count * VARINT_BYTES_MAX))
		return -ENOMEM;
	begin = payload->bytes;
	memcpy(begin, numbers, sizeof(numbers));
	at = begin + head;
	for (uint32_t i = 0; i < layout->column_count; i++) {
		const struct ct_table_column *column = &layout->columns[i];
		char *end = column->coding == CT_CODING_STEP
				? encode_steps(at, column, rows, layout->row_bytes, count)
				: encode_words(at, column, rows, layout->row_bytes, count);
		uint32_t bytes = (uint32_t)(end - at);

		memcpy(begin + 8 + 4 * i, &bytes, sizeof(bytes));
		at = end;
	}
	payload->size = (size_t)(at - begin);
	return 0;
}

static void store(char *row, const struct ct_table_column *column, uint64_t value)
{
	uint32_t narrow = (uint32_t)value;

	if (is_wide(column))
		memcpy(row + column->field.at, &value, sizeof(value));
	else
		memcpy(row + column->field.at, &narrow, sizeof(narrow));
}

/* NULL if no number stands there. */
static const unsigned char *get_varint(const unsigned char *at, const unsigned char *end,
				       uint64_t *number)
{
	unsigned shift = 0;

	*number = 0;
	do {
		if (at == end || shift > 63)
			return NULL;
		*number |= (uint64_t)(*at & 0x7f) << shift;
		shift += 7;
	} while (*at++ & 0x80);
	return at;
}

/* Exactly count numbers. */
static int decode_steps(const unsigned char *at, size_t bytes, const struct ct_table_column *column,
			char *row, size_t row_bytes, uint32_t count)
{
	const unsigned char *end = at + bytes;
	uint64_t value = 0, step;

	for (uint32_t i = 0; i < count; i++, row += row_bytes) {
		at = get_varint(at, end, &step);
		if (!at)
			return -CT_EFORMAT;
		value += step >> 1 ^ (0 - (step & 1));
		store(row, column, value);
	}
	return at == end ? 0 : -CT_EFORMAT;
}

static int decode_words(const char *at, size_t bytes, const struct ct_table_column *column,
			char *row, size_t row_bytes, uint32_t count)
{
	size_t size = ct_field_bytes(column->field.type);

	if (bytes != size * count)
		return -CT_EFORMAT;
	for (uint32_t i = 0; i < count; i++, row += row_bytes, at += size)
		memcpy(row + column->field.at, at, size);
	return 0;
}

/* Each row takes a byte at least in each column. */
static bool is_sound(const void *payload, size_t bytes, uint32_t count, uint32_t *columns)
{
	uint32_t numbers[2];

	if (bytes < sizeof(numbers))
		return false;
	memcpy(numbers, payload, sizeof(numbers));
	*columns = numbers[1];
	return numbers[0] == count && numbers[1] > 0 &&
	       numbers[1] <= (bytes - sizeof(numbers)) / sizeof(uint32_t);
}

int ct_table_decode(const struct ct_table_layout *layout, const void *payload, size_t bytes,
		    void *rows, uint32_t count)
{
	uint32_t columns, size;
	const char *at;
	size_t left;
	int err = 0;

	if (!is_sound(payload, bytes, count, &columns))
		return -CT_EFORMAT;
	at = (const char *)payload + head_bytes(columns);
	left = bytes - head_bytes(columns);
	memset(rows, 0, (size_t)count * layout->row_bytes);
	for (uint32_t i = 0; i < columns && err == 0; i++, at += size, left -= size) {
		const struct ct_table_column *column = &layout->columns[i];

		memcpy(&size, (const char *)payload + 8 + 4 * (size_t)i, sizeof(size));
		if (size > left)
			return -CT_EFORMAT;
		if (i >= layout->column_count)
			continue; /* a later version's */
		err = column->coding == CT_CODING_STEP
			  ? decode_steps((const unsigned char *)at, size, column, rows,
					 layout->row_bytes, count)
			  : decode_words(at, size, column, rows, layout->row_bytes, count);
	}
	return err < 0 || left ? -CT_EFORMAT : 0;
}
