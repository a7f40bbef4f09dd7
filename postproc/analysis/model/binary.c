/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and shared memory from cubins. */
#include "postproc/analysis/model/binary.h"

#include "postproc/sass/cursor.h"
#include "postproc/sass/elf.h"

#include <stdio.h>
#include <string.h>

#define NAME_BYTES 4096u
#define INSTRUCTION_BYTES 16u
#define RESERVED_BYTES 1024u
/* Entries of .nv.info have a format, an attribute, and two bytes that are its value or, of SIZED,
 * how many follow. */
#define FORMAT_SIZED 4u
#define ATTRIBUTE_REGCOUNT 0x2fu
/* Before CUDA 13, the section's information has registers in its upper byte, too. */
#define REGISTERS_SHIFT 24u

static size_t find_section(const struct ct_elf *elf, const char *prefix, const char *symbol)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%s%s", prefix, symbol);
	return ct_elf_section(elf, name);
}

static uint32_t registers_of(const struct ct_elf *elf, size_t text, const char *symbol)
{
	size_t bytes = 0, section = ct_elf_section(elf, ".nv.info");
	const char *info = section ? ct_elf_content(elf, section, &bytes) : NULL;
	struct ct_cursor at = ct_cursor_of(info, info ? bytes : 0);

	while (at.left >= 4 && !at.is_bad) {
		uint8_t format = ct_cursor_u8(&at), attribute = ct_cursor_u8(&at);
		uint16_t size = ct_cursor_u16(&at);
		struct ct_cursor value;

		if (format != FORMAT_SIZED)
			continue;
		value = at;
		if (size > at.left)
			break;
		at.next += size;
		at.left -= size;
		if (attribute == ATTRIBUTE_REGCOUNT && size >= 8) {
			uint32_t number = ct_cursor_u32(&value);

			if (number < elf->symbol_count &&
			    !strcmp(ct_elf_symbol_name(elf, &elf->symbols[number]), symbol))
				return ct_cursor_u32(&value);
		}
	}
	return elf->sections[text].sh_info >> REGISTERS_SHIFT;
}

/* Whether the system reserves shared memory of each kernel (sm_90 and later): there is a section
 * for it or, where kernels share code (ct-share), a symbol alone. */
static bool reserves_shared(const struct ct_elf *elf)
{
	static const char name[] = ".nv.reservedSmem.";

	for (size_t i = 0; i < elf->symbol_count; i++)
		if (!strncmp(ct_elf_symbol_name(elf, &elf->symbols[i]), name, sizeof(name) - 1))
			return true;
	return ct_elf_section(elf, ".nv.shared.reserved.0") != 0;
}

/* Reserved shared memory counts with each kernel that has some of its own; occupancy counts it by
 * itself. */
static uint64_t shared_of(const struct ct_elf *elf, size_t section)
{
	uint64_t size = elf->sections[section].sh_size;

	if (!reserves_shared(elf))
		return size;
	return size > RESERVED_BYTES ? size - RESERVED_BYTES : 0;
}

bool ct_model_binary(struct ct_model_binary *binary, const void *cubin, size_t size,
		     const char *symbol)
{
	struct ct_elf elf;
	size_t text, shared;

	*binary = (struct ct_model_binary){0};
	if (ct_elf_view(&elf, cubin, size) < 0)
		return false;
	text = find_section(&elf, ".text.", symbol);
	if (!text)
		return false;
	shared = find_section(&elf, ".nv.shared.", symbol);
	binary->registers = registers_of(&elf, text, symbol);
	binary->shared_bytes = shared ? shared_of(&elf, shared) : 0;
	binary->instructions = elf.sections[text].sh_size / INSTRUCTION_BYTES;
	return true;
}

bool ct_model_is_cubin(const void *bytes, size_t size)
{
	struct ct_elf elf;

	return ct_elf_view(&elf, bytes, size) == 0;
}

bool ct_model_find_cubin(struct ct_model_cubin *found, struct ct_model_binary *binary,
			 const struct ct_trace *trace, const struct ct_model_cubin *given,
			 size_t count, const char *symbol)
{
	struct ct_model_binary unwanted;
	const struct ct_code_info *codes;
	size_t in_trace = count ? 0 : ct_trace_codes(trace, &codes);

	binary = binary ? binary : &unwanted;
	for (size_t i = 0; i < count + in_trace; i++) {
		if (i < count)
			*found = given[i];
		else if (codes[i].header.kind == CT_CODE_CUBIN)
			*found = (struct ct_model_cubin){codes[i].code, codes[i].bytes};
		else
			continue;
		if (ct_model_binary(binary, found->bytes, found->size, symbol))
			return true;
	}
	*found = (struct ct_model_cubin){NULL, 0};
	return false;
}
