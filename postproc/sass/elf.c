/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds first, then pointers. */
#include "postproc/sass/elf.h"

#include <cudatrace/error.h>
#include <string.h>

static bool is_inside(const struct ct_elf *elf, uint64_t offset, uint64_t bytes)
{
	return offset <= elf->size && bytes <= elf->size - offset;
}

const char *ct_elf_content(const struct ct_elf *elf, size_t section, size_t *size)
{
	const Elf64_Shdr *header = section < elf->section_count ? &elf->sections[section] : NULL;

	*size = 0;
	if (!header || header->sh_type == SHT_NOBITS ||
	    !is_inside(elf, header->sh_offset, header->sh_size))
		return NULL;
	*size = header->sh_size;
	return elf->bytes + header->sh_offset;
}

/* A table of names, which ends with a zero, or none. */
static const char *names_in(const struct ct_elf *elf, size_t section, size_t *size)
{
	const char *names = ct_elf_content(elf, section, size);

	if (names && *size && !names[*size - 1])
		return names;
	*size = 0;
	return "";
}

static bool is_cubin(const Elf64_Ehdr *header)
{
	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
	       header->e_machine == EM_CUDA && header->e_shentsize == sizeof(Elf64_Shdr) &&
	       header->e_shoff % 8 == 0;
}

static int view_symbols(struct ct_elf *elf)
{
	for (size_t i = 0; i < elf->section_count; i++) {
		const Elf64_Shdr *section = &elf->sections[i];
		size_t bytes;
		const char *symbols;

		if (section->sh_type != SHT_SYMTAB)
			continue;
		symbols = ct_elf_content(elf, i, &bytes);
		if (!symbols || section->sh_offset % 8 != 0)
			return -CT_EFORMAT;
		elf->symbols = (const Elf64_Sym *)(const void *)symbols;
		elf->symbol_count = bytes / sizeof(Elf64_Sym);
		elf->symbol_names = names_in(elf, section->sh_link, &elf->symbol_name_bytes);
		return 0;
	}
	return 0;
}

int ct_elf_view(struct ct_elf *elf, const void *bytes, size_t size)
{
	const Elf64_Ehdr *header = bytes;

	*elf = (struct ct_elf){.bytes = bytes, .size = size};
	elf->symbol_names = elf->section_names = "";
	if (size < sizeof(*header) || !is_cubin(header) ||
	    !is_inside(elf, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
		return -CT_EFORMAT;
	elf->sections = (const Elf64_Shdr *)(const void *)(elf->bytes + header->e_shoff);
	elf->section_count = header->e_shnum;
	elf->section_names = names_in(elf, header->e_shstrndx, &elf->section_name_bytes);
	return view_symbols(elf);
}

const char *ct_elf_section_name(const struct ct_elf *elf, size_t section)
{
	if (section >= elf->section_count ||
	    elf->sections[section].sh_name >= elf->section_name_bytes)
		return "";
	return elf->section_names + elf->sections[section].sh_name;
}

const char *ct_elf_symbol_name(const struct ct_elf *elf, const Elf64_Sym *symbol)
{
	return symbol->st_name < elf->symbol_name_bytes ? elf->symbol_names + symbol->st_name : "";
}

size_t ct_elf_section(const struct ct_elf *elf, const char *name)
{
	for (size_t i = 1; i < elf->section_count; i++)
		if (strcmp(ct_elf_section_name(elf, i), name) == 0)
			return i;
	return 0;
}

/* One relocation of a section of them; addend: whether they have addends of their own. */
static bool find_relocation(const char *list, size_t bytes, bool has_addend, uint64_t offset,
			    Elf64_Rela *found)
{
	size_t step = has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);

	for (; bytes >= step; list += step, bytes -= step) {
		*found = (Elf64_Rela){0};
		memcpy(found, list, step); /* a REL is a RELA without its end */
		if (found->r_offset == offset)
			return true;
	}
	return false;
}

bool ct_elf_relocated(const struct ct_elf *elf, size_t section, uint64_t offset, uint32_t *target,
		      uint64_t *address)
{
	for (size_t i = 1; i < elf->section_count; i++) {
		const Elf64_Shdr *header = &elf->sections[i];
		bool has_addend = header->sh_type == SHT_RELA;
		Elf64_Rela relocation;
		size_t bytes, symbol;
		const char *list;

		if ((!has_addend && header->sh_type != SHT_REL) || header->sh_info != section)
			continue;
		list = ct_elf_content(elf, i, &bytes);
		if (!list || !find_relocation(list, bytes, has_addend, offset, &relocation))
			continue;
		symbol = ELF64_R_SYM(relocation.r_info);
		if (symbol >= elf->symbol_count)
			continue;
		*target = elf->symbols[symbol].st_shndx;
		*address = elf->symbols[symbol].st_value +
			   (has_addend ? (uint64_t)relocation.r_addend : *address);
		return true;
	}
	return false;
}
