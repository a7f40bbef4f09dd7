/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of the program and its libraries: by the tables of symbols of their files. */
#include "host-rt/watch/host/allocated.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The writable part of a module that holds an address. */
struct module {
	uint64_t address, base;
	const char *path;
};

static int find_module(struct dl_phdr_info *info, size_t bytes, void *user)
{
	struct module *module = user;

	(void)bytes;
	for (ElfW(Half) i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type != PT_LOAD || !(part->p_flags & PF_W) ||
		    module->address - info->dlpi_addr - part->p_vaddr >= part->p_memsz)
			continue;
		module->base = info->dlpi_addr;
		module->path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
		return 1;
	}
	return 0;
}

/* A file as it is mapped to be read. */
struct image {
	const char *bytes;
	uint64_t size;
};

static bool has(const struct image *image, uint64_t at, uint64_t count, uint64_t bytes)
{
	uint64_t all;

	return !__builtin_mul_overflow(count, bytes, &all) && at <= image->size &&
	       all <= image->size - at;
}

/* In a table of symbols: the variable that holds the ELF address. */
static bool find_in_table(const struct image *image, const Elf64_Shdr *table,
			  const Elf64_Shdr *names, uint64_t address, Elf64_Sym *found,
			  const char **name)
{
	if (!has(image, table->sh_offset, table->sh_size / sizeof(Elf64_Sym), sizeof(Elf64_Sym)) ||
	    !has(image, names->sh_offset, names->sh_size, 1) || !names->sh_size ||
	    image->bytes[names->sh_offset + names->sh_size - 1])
		return false;
	for (uint64_t i = 0; i < table->sh_size / sizeof(*found); i++) {
		memcpy(found, image->bytes + table->sh_offset + i * sizeof(*found), sizeof(*found));
		if (ELF64_ST_TYPE(found->st_info) != STT_OBJECT ||
		    found->st_name >= names->sh_size || address - found->st_value >= found->st_size)
			continue;
		*name = image->bytes + names->sh_offset + found->st_name;
		return true;
	}
	return false;
}

static bool find_symbol(const struct image *image, uint64_t address, Elf64_Sym *found,
			const char **name)
{
	Elf64_Ehdr head;

	if (!has(image, 0, 1, sizeof(head)))
		return false;
	memcpy(&head, image->bytes, sizeof(head));
	if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(Elf64_Shdr) ||
	    !has(image, head.e_shoff, head.e_shnum, sizeof(Elf64_Shdr)))
		return false;
	for (uint16_t i = 0; i < head.e_shnum; i++) {
		Elf64_Shdr table, names;

		memcpy(&table, image->bytes + head.e_shoff + i * sizeof(table), sizeof(table));
		if ((table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) ||
		    table.sh_link >= head.e_shnum)
			continue;
		memcpy(&names, image->bytes + head.e_shoff + table.sh_link * sizeof(names),
		       sizeof(names));
		if (find_in_table(image, &table, &names, address, found, name))
			return true;
	}
	return false;
}

/* Variables are reported once each, so that the file is not kept. */
static void find_in_file(const struct module *module, uint64_t *begin, uint64_t *end, char *text,
			 uint32_t bytes)
{
	int fd = open(module->path, O_RDONLY | O_CLOEXEC);
	struct image image = {.size = 0};
	struct stat status;
	const char *name;
	Elf64_Sym symbol;
	void *mapping;

	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0 && status.st_size > 0) {
		mapping = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (mapping != MAP_FAILED)
			image = (struct image){mapping, (uint64_t)status.st_size};
	}
	close(fd);
	if (image.size && find_symbol(&image, module->address - module->base, &symbol, &name)) {
		*begin = module->base + symbol.st_value;
		*end = *begin + symbol.st_size;
		snprintf(text, bytes, "%s", name);
	}
	if (image.size)
		munmap((void *)(uintptr_t)image.bytes, image.size);
}

int ct_variable_find(uint64_t address, uint64_t *begin, uint64_t *end, char *name, uint32_t bytes)
{
	struct module module = {.address = address};

	if (!dl_iterate_phdr(find_module, &module))
		return -ENOENT;
	*begin = address;
	*end = address + 1;
	*name = '\0';
	find_in_file(&module, begin, end, name, bytes);
	return 0;
}
