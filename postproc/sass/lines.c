/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of DWARF's line tables (DWARF 2, section 6.2). */
#include "postproc/sass/lines.h"

#include "base/array.h"
#include "postproc/sass/cursor.h"

#include <cudatrace/error.h>
#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NVIDIA_INLINED_CALL 0x90u
#define NVIDIA_FUNCTION_NAME 0x91u
#define STANDARD_OPCODES_MAX 32u

/* One table with its header: a section has one for each unit. */
struct table {
	struct ct_cursor at;
	struct ct_lines *lines;
	const struct ct_elf *elf;
	size_t section;
	size_t room, file_room;
	uint8_t step, line_range, opcode_base;
	int8_t line_base;
	uint8_t arguments[STANDARD_OPCODES_MAX];
	size_t first_file; /* of this unit, among all */
	size_t unit_files;
	uint32_t names;   /* .debug_str begins there, as rows count */
	size_t first_row; /* of the sequence */
};

static int add_file(struct table *table, const char *directory, const char *name)
{
	char *path;

	if (ct_array_reserve(&table->lines->files, &table->file_room, table->lines->file_count + 1,
			     sizeof(char *)) < 0)
		return -ENOMEM;
	if (!*directory || *name == '/')
		path = strdup(name);
	else if (asprintf(&path, "%s/%s", directory, name) < 0)
		path = NULL;
	if (!path)
		return -ENOMEM;
	table->lines->files[table->lines->file_count++] = path;
	table->unit_files++;
	return 0;
}

/* Number 1 is the first of the directories from `directories` on. */
static const char *directory_of(struct ct_cursor directories, uint64_t number)
{
	const char *name = "";

	while (number-- > 0) {
		name = ct_cursor_text(&directories);
		if (!*name)
			return "";
	}
	return name;
}

static int read_files(struct table *table, struct ct_cursor *header)
{
	struct ct_cursor directories = *header;
	const char *name;
	int err = 0;

	while (*ct_cursor_text(header) && !header->is_bad)
		;
	table->first_file = table->lines->file_count;
	table->unit_files = 0;
	while (err == 0 && *(name = ct_cursor_text(header)) && !header->is_bad) {
		uint64_t directory = ct_cursor_uleb(header);

		ct_cursor_uleb(header); /* time */
		ct_cursor_uleb(header); /* bytes */
		err = add_file(table, directory_of(directories, directory), name);
	}
	return err;
}

/* The cursor at a unit's header; afterwards at its program, which ends where the unit does. */
static int read_header(struct table *table, struct ct_cursor *section)
{
	struct ct_cursor header;
	uint16_t version;
	uint32_t bytes = ct_cursor_u32(section);
	int err;

	if (section->is_bad || bytes >= 0xfffffff0u)
		return -CT_EFORMAT;
	table->at = ct_cursor_part(section, bytes);
	version = ct_cursor_u16(&table->at);
	if (version < 2 || version > 4)
		return -CT_EFORMAT;
	header = ct_cursor_part(&table->at, ct_cursor_u32(&table->at));
	table->step = ct_cursor_u8(&header);
	if (version == 4)
		ct_cursor_u8(&header);
	ct_cursor_u8(&header); /* whether rows begin statements */
	table->line_base = (int8_t)ct_cursor_u8(&header);
	table->line_range = ct_cursor_u8(&header);
	table->opcode_base = ct_cursor_u8(&header);
	if (!table->line_range || !table->opcode_base || table->opcode_base > STANDARD_OPCODES_MAX)
		return -CT_EFORMAT;
	for (unsigned i = 1; i < table->opcode_base; i++)
		table->arguments[i] = ct_cursor_u8(&header);
	err = read_files(table, &header);
	/* In nvcc's tables this unit's names begin there. */
	table->names = header.left == 4 ? ct_cursor_u32(&header) : 0;
	return err < 0 ? err : header.is_bad || table->at.is_bad ? -CT_EFORMAT : 0;
}

struct state {
	struct ct_line row;
	uint64_t file; /* from 1, of the unit */
};

static void reset(struct state *state)
{
	*state = (struct state){.row = {.line = 1}, .file = 1};
}

static int add_row(struct table *table, const struct state *state, bool is_end)
{
	struct ct_line row = state->row;

	if (ct_array_reserve(&table->lines->written, &table->room, table->lines->count + 1,
			     sizeof(row)) < 0)
		return -ENOMEM;
	row.is_end = is_end;
	row.file = state->file >= 1 && state->file <= table->unit_files
		       ? (uint32_t)(table->first_file + state->file - 1)
		       : UINT32_MAX;
	/* Contexts count the sequence's rows from 1. */
	if (row.context)
		row.context += (uint32_t)table->first_row;
	table->lines->written[table->lines->count++] = row;
	return 0;
}

static void set_address(struct table *table, struct ct_cursor *operands, struct state *state)
{
	uint64_t offset = ct_cursor_offset(operands);

	state->row.address = ct_cursor_u64(operands);
	if (!ct_elf_relocated(table->elf, table->section, offset, &state->row.section,
			      &state->row.address))
		state->row.section = 0;
}

static int run_extended(struct table *table, struct state *state)
{
	struct ct_cursor operands = ct_cursor_part(&table->at, ct_cursor_uleb(&table->at));
	int err = 0;

	switch (ct_cursor_u8(&operands)) {
	case DW_LNE_end_sequence:
		err = add_row(table, state, true);
		reset(state);
		table->first_row = table->lines->count;
		break;
	case DW_LNE_set_address:
		set_address(table, &operands, state);
		break;
	case NVIDIA_INLINED_CALL:
		state->row.context = (uint32_t)ct_cursor_uleb(&operands);
		state->row.function = table->names + (uint32_t)ct_cursor_uleb(&operands);
		break;
	case NVIDIA_FUNCTION_NAME:
		state->row.function = table->names + (uint32_t)ct_cursor_uleb(&operands);
		break;
	default: /* its length leads over it */
		break;
	}
	return operands.is_bad ? -CT_EFORMAT : err;
}

static int run_standard(struct table *table, struct state *state, uint8_t opcode)
{
	struct ct_cursor *at = &table->at;

	switch (opcode) {
	case DW_LNS_copy:
		return add_row(table, state, false);
	case DW_LNS_advance_pc:
		state->row.address += ct_cursor_uleb(at) * table->step;
		break;
	case DW_LNS_advance_line:
		state->row.line += (uint32_t)ct_cursor_sleb(at);
		break;
	case DW_LNS_set_file:
		state->file = ct_cursor_uleb(at);
		break;
	case DW_LNS_set_column:
		state->row.column = (uint32_t)ct_cursor_uleb(at);
		break;
	case DW_LNS_const_add_pc:
		state->row.address +=
		    (255u - table->opcode_base) / table->line_range * (uint64_t)table->step;
		break;
	case DW_LNS_fixed_advance_pc:
		state->row.address += ct_cursor_u16(at);
		break;
	default:
		for (unsigned i = 0; i < table->arguments[opcode]; i++)
			ct_cursor_uleb(at);
	}
	return 0;
}

static int run_special(struct table *table, struct state *state, uint8_t opcode)
{
	unsigned number = opcode - table->opcode_base;

	state->row.address += number / table->line_range * (uint64_t)table->step;
	state->row.line += (uint32_t)(table->line_base + (int)(number % table->line_range));
	return add_row(table, state, false);
}

static int run(struct table *table)
{
	struct state state;
	int err = 0;

	reset(&state);
	table->first_row = table->lines->count;
	while (err == 0 && table->at.left && !table->at.is_bad) {
		uint8_t opcode = ct_cursor_u8(&table->at);

		if (opcode == 0)
			err = run_extended(table, &state);
		else if (opcode < table->opcode_base)
			err = run_standard(table, &state, opcode);
		else
			err = run_special(table, &state, opcode);
	}
	return err < 0 ? err : table->at.is_bad ? -CT_EFORMAT : 0;
}

/* By section and address; of rows at one address the last one written holds, and an end only where
 * nothing begins. */
static int compare(const void *a, const void *b)
{
	const struct ct_line *x = *(const struct ct_line *const *)a;
	const struct ct_line *y = *(const struct ct_line *const *)b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->is_end != y->is_end)
		return x->is_end ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int sort(struct ct_lines *lines)
{
	const struct ct_line **order = malloc((lines->count + !lines->count) * sizeof(*order));

	lines->rows = malloc((lines->count + !lines->count) * sizeof(*lines->rows));
	if (!order || !lines->rows) {
		free(order);
		return -ENOMEM;
	}
	for (size_t i = 0; i < lines->count; i++)
		order[i] = &lines->written[i];
	qsort(order, lines->count, sizeof(*order), compare);
	for (size_t i = 0; i < lines->count; i++)
		lines->rows[i] = *order[i];
	free(order);
	return 0;
}

int ct_lines_read(struct ct_lines *lines, const struct ct_elf *elf, const char *name)
{
	struct table table = {.lines = lines, .elf = elf, .section = ct_elf_section(elf, name)};
	struct ct_cursor section;
	size_t bytes;
	const char *content = table.section ? ct_elf_content(elf, table.section, &bytes) : NULL;
	int err = 0, sort_err;

	*lines = (struct ct_lines){0};
	if (!content)
		return 0;
	section = ct_cursor_of(content, bytes);
	while (err == 0 && section.left) {
		err = read_header(&table, &section);
		if (err == 0)
			err = run(&table);
	}
	sort_err = sort(lines);
	return err < 0 ? err : sort_err;
}

void ct_lines_fini(struct ct_lines *lines)
{
	for (size_t i = 0; i < lines->file_count; i++)
		free(lines->files[i]);
	free(lines->files);
	free(lines->rows);
	free(lines->written);
	*lines = (struct ct_lines){0};
}

const struct ct_line *ct_lines_find(const struct ct_lines *lines, uint32_t section,
				    uint64_t address)
{
	size_t low = 0, high = lines->rows ? lines->count : 0;

	/* The first row behind the address. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct ct_line *row = &lines->rows[middle];

		if (row->section < section || (row->section == section && row->address <= address))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || lines->rows[low - 1].section != section || lines->rows[low - 1].is_end)
		return NULL;
	return &lines->rows[low - 1];
}

const struct ct_line *ct_lines_caller(const struct ct_lines *lines, const struct ct_line *line)
{
	return line->context && line->context <= lines->count ? &lines->written[line->context - 1]
							      : NULL;
}

const char *ct_lines_file(const struct ct_lines *lines, const struct ct_line *line)
{
	return line->file < lines->file_count ? lines->files[line->file] : "";
}
