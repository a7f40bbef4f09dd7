/* SPDX-License-Identifier: Apache-2.0 */
/* Sections one behind the other, their headers at the end. */
#include "tests/builder/cubin.h"

#include "base/buffer.h"

#include <dwarf.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS_MAX 8u
#define LINE_BASE (-5)
#define LINE_RANGE 14
#define OPCODE_BASE 10
#define INLINED_CALL ((char)0x90) /* of NVIDIA */

enum { NONE, NAMES, STRINGS, SYMBOLS, SOURCE, PTX, TEXT, REL_SOURCE, REL_PTX, FIRST_FUNCTION };

struct table {
	struct ct_buffer program; /* of all functions so far */
	struct ct_buffer relocations;
	uint64_t address;
	uint32_t line;
};

struct build_cubin {
	struct ct_buffer strings, symbols, names, ptx;
	struct table table[BUILD_LINE_TABLES];
	char section[FUNCTIONS_MAX][128];
	uint64_t section_bytes[FUNCTIONS_MAX];
	uint32_t functions;
};

static void put(struct ct_buffer *buffer, const void *bytes, size_t count)
{
	if (count && !ct_buffer_append(buffer, bytes, count)) {
		fputs("cubin: out of memory\n", stderr);
		exit(1);
	}
}

static void put_u8(struct ct_buffer *buffer, unsigned value)
{
	uint8_t byte = (uint8_t)value;

	put(buffer, &byte, 1);
}

static uint32_t put_text(struct ct_buffer *buffer, const char *text)
{
	uint32_t at = (uint32_t)buffer->size;

	put(buffer, text, strlen(text) + 1);
	return at;
}

static void put_leb(struct ct_buffer *buffer, int64_t value)
{
	bool more = true;

	while (more) {
		uint8_t byte = value & 0x7f;

		value >>= 7;
		more = !((value == 0 && !(byte & 0x40)) || (value == -1 && byte & 0x40));
		put_u8(buffer, byte | (more ? 0x80 : 0));
	}
}

/* An encoding of zeros and positive numbers is the same as an unsigned one, but for a byte more
 * at times. */
static void advance(struct table *table, uint64_t address)
{
	put_u8(&table->program, DW_LNS_advance_pc);
	put_leb(&table->program, (int64_t)(address - table->address));
	table->address = address;
}

static void end_sequence(struct build_cubin *c, struct table *table)
{
	if (!c->functions || !table->line)
		return;
	advance(table, c->section_bytes[c->functions - 1]);
	put(&table->program, (const char[]){0, 1, DW_LNE_end_sequence}, 3);
	table->line = 0;
}

struct build_cubin *build_cubin(void)
{
	struct build_cubin *c = calloc(1, sizeof(*c));
	Elf64_Sym none = {0};

	if (!c)
		exit(1);
	put_text(&c->strings, "");
	put(&c->symbols, &none, sizeof(none));
	return c;
}

void build_cubin_callee(struct build_cubin *c, const char *symbol, uint64_t address, uint64_t bytes)
{
	Elf64_Sym entry = {.st_name = put_text(&c->strings, symbol),
			   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			   .st_shndx = (uint16_t)(FIRST_FUNCTION + c->functions - 1),
			   .st_value = address,
			   .st_size = bytes};

	put(&c->symbols, &entry, sizeof(entry));
}

void build_cubin_function(struct build_cubin *c, const char *symbol, uint64_t bytes)
{
	for (int i = 0; i < BUILD_LINE_TABLES; i++)
		end_sequence(c, &c->table[i]);
	snprintf(c->section[c->functions], sizeof(c->section[0]), ".text.%s", symbol);
	c->section_bytes[c->functions++] = bytes;
	build_cubin_callee(c, symbol, 0, bytes);
}

void build_cubin_line(struct build_cubin *c, enum build_lines which, uint64_t address,
		      uint32_t line)
{
	struct table *table = &c->table[which];
	uint64_t zero = 0;
	Elf64_Rela relocation = {.r_info =
				     ELF64_R_INFO(c->symbols.size / sizeof(Elf64_Sym) - 1, 2)};

	if (!table->line) {
		put(&table->program, (const char[]){0, 9, DW_LNE_set_address}, 3);
		relocation.r_offset = table->program.size; /* the header's size comes to it */
		put(&table->relocations, &relocation, sizeof(relocation));
		put(&table->program, &zero, sizeof(zero));
		table->line = 1;
		table->address = 0;
	}
	advance(table, address);
	put_u8(&table->program, DW_LNS_advance_line);
	put_leb(&table->program, (int64_t)line - table->line);
	put_u8(&table->program, DW_LNS_copy);
	table->line = line;
}

void build_cubin_inlined(struct build_cubin *c, uint64_t address, uint32_t line, uint8_t caller)
{
	struct table *table = &c->table[BUILD_SOURCE];

	put(&table->program, (const char[]){0, 3, INLINED_CALL, (char)caller, 0}, 5);
	build_cubin_line(c, BUILD_SOURCE, address, line);
	put(&table->program, (const char[]){0, 3, INLINED_CALL, 0, 0}, 5);
}

void build_cubin_ptx(struct build_cubin *c, const char *line)
{
	put_text(&c->ptx, line);
}

/* DWARF 2, with a directory and a file. Returns how many bytes stand before the program. */
static size_t line_table(struct ct_buffer *out, const struct table *table, bool is_ptx)
{
	static const char arguments[] = {0, 1, 1, 1, 1, 0, 0, 0, 1};
	struct ct_buffer rest = {0};
	uint32_t header_bytes, unit_bytes;
	size_t before;

	put(&rest, (const char[]){1, 1, LINE_BASE, LINE_RANGE, OPCODE_BASE}, 5);
	put(&rest, arguments, sizeof(arguments));
	if (!is_ptx)
		put_text(&rest, "dir");
	put_u8(&rest, 0);
	put_text(&rest, is_ptx ? ".nv_debug_ptx_txt" : "step.cu");
	put(&rest, is_ptx ? (const char[]){0, 0, 0} : (const char[]){1, 0, 0}, 3);
	put_u8(&rest, 0);
	header_bytes = (uint32_t)rest.size;
	unit_bytes = 2 + 4 + header_bytes + (uint32_t)table->program.size;
	put(out, &unit_bytes, 4);
	put(out, (const char[]){2, 0}, 2);
	put(out, &header_bytes, 4);
	put(out, rest.bytes, rest.size);
	before = out->size;
	put(out, table->program.bytes, table->program.size);
	ct_buffer_fini(&rest);
	return before;
}

static void add_section(struct build_cubin *c, struct ct_buffer *file, Elf64_Shdr *header,
			const char *name, uint32_t type, const struct ct_buffer *content)
{
	static const char zeros[8];

	put(file, zeros, (8 - file->size % 8) % 8);
	header->sh_name = put_text(&c->names, name);
	header->sh_type = type;
	header->sh_offset = file->size;
	header->sh_size = content->size;
	put(file, content->bytes, content->size);
}

static void add_lines(struct build_cubin *c, struct ct_buffer *file, Elf64_Shdr *headers,
		      enum build_lines which)
{
	struct table *table = &c->table[which];
	struct ct_buffer content = {0};
	Elf64_Rela *relocations = (Elf64_Rela *)(void *)table->relocations.bytes;
	bool is_ptx = which == BUILD_PTX;
	size_t before;

	end_sequence(c, table);
	before = line_table(&content, table, is_ptx);
	for (size_t i = 0; i < table->relocations.size / sizeof(*relocations); i++)
		relocations[i].r_offset += before;
	add_section(c, file, &headers[SOURCE + which],
		    is_ptx ? ".nv_debug_line_sass" : ".debug_line", SHT_PROGBITS, &content);
	add_section(c, file, &headers[REL_SOURCE + which], is_ptx ? ".rela.sass" : ".rela.line",
		    SHT_RELA, &table->relocations);
	headers[REL_SOURCE + which].sh_info = SOURCE + (uint32_t)which;
	headers[REL_SOURCE + which].sh_link = SYMBOLS;
	ct_buffer_fini(&content);
	ct_buffer_fini(&table->program);
	ct_buffer_fini(&table->relocations);
}

void *build_cubin_bytes(struct build_cubin *c, size_t *bytes)
{
	Elf64_Shdr headers[FIRST_FUNCTION + FUNCTIONS_MAX] = {0};
	Elf64_Ehdr elf = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
			  .e_machine = EM_CUDA,
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = (uint16_t)(FIRST_FUNCTION + c->functions),
			  .e_shstrndx = NAMES};
	const struct ct_buffer nothing = {0};
	struct ct_buffer file = {0};

	put(&file, &elf, sizeof(elf));
	put_text(&c->names, "");
	add_section(c, &file, &headers[STRINGS], ".strtab", SHT_STRTAB, &c->strings);
	add_section(c, &file, &headers[SYMBOLS], ".symtab", SHT_SYMTAB, &c->symbols);
	headers[SYMBOLS].sh_link = STRINGS;
	add_lines(c, &file, headers, BUILD_SOURCE);
	add_lines(c, &file, headers, BUILD_PTX);
	add_section(c, &file, &headers[TEXT], ".nv_debug_ptx_txt", SHT_PROGBITS, &c->ptx);
	for (uint32_t i = 0; i < c->functions; i++)
		add_section(c, &file, &headers[FIRST_FUNCTION + i], c->section[i], SHT_PROGBITS,
			    &nothing);
	add_section(c, &file, &headers[NAMES], "", SHT_STRTAB, &c->names);
	elf.e_shoff = file.size + (8 - file.size % 8) % 8;
	put(&file, (const char[8]){0}, elf.e_shoff - file.size);
	put(&file, headers, elf.e_shnum * sizeof(*headers));
	memcpy(file.bytes, &elf, sizeof(elf));
	ct_buffer_fini(&c->strings);
	ct_buffer_fini(&c->symbols);
	ct_buffer_fini(&c->names);
	ct_buffer_fini(&c->ptx);
	free(c);
	*bytes = file.size;
	return file.bytes;
}
