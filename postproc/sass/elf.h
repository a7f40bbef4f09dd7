/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cubin as an ELF file: sections, symbols, relocations. Nothing in it is trusted: whatever lies
 * outside of the file is not there. Views borrow the file's bytes.
 */
#ifndef CT_POSTPROC_SASS_ELF_H
#define CT_POSTPROC_SASS_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_elf {
	const char *bytes;
	size_t size;
	const Elf64_Shdr *sections;
	size_t section_count;
	const Elf64_Sym *symbols;
	size_t symbol_count;
	const char *symbol_names;
	size_t symbol_name_bytes;
	const char *section_names;
	size_t section_name_bytes;
};

/* bytes: aligned to 8. 0, or -CT_EFORMAT: no little-endian ELF file of 64 bits for CUDA, or one
 * whose tables are not in it. */
int ct_elf_view(struct ct_elf *elf, const void *bytes, size_t size);

/* The section's bytes, *size of them; NULL if it has none in the file. */
const char *ct_elf_content(const struct ct_elf *elf, size_t section, size_t *size);

/* "" out of range. */
const char *ct_elf_section_name(const struct ct_elf *elf, size_t section);
const char *ct_elf_symbol_name(const struct ct_elf *elf, const Elf64_Sym *symbol);

/* The section of that name, or 0. */
size_t ct_elf_section(const struct ct_elf *elf, const char *name);

/* Finds what stands at an offset of a section, once it is relocated: a place in another section.
 * *address: what stands there in the file, which is added where the relocation has no addend
 * (before sm_90). False: there is no relocation. */
bool ct_elf_relocated(const struct ct_elf *elf, size_t section, uint64_t offset, uint32_t *target,
		      uint64_t *address);

#endif
