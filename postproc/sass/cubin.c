/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols and the two line tables of a cubin, joined. */
#include "postproc/sass/cubin.h"

#include "base/hash.h"
#include "base/map.h"
#include <cudatrace/error.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ct_cubin {
	void *bytes;
	struct ct_elf elf;
	struct ct_lines source, ptx;
	struct ct_cubin_function *functions;
	size_t function_count;
	struct ct_map by_name; /* from 1, of functions; key: two hashes of their symbol */
	const char *names;     /* .debug_str */
	size_t name_bytes;
	bool is_damaged;
};

static int compare_functions(const void *a, const void *b)
{
	const struct ct_cubin_function *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return strcmp(x->symbol, y->symbol);
}

static bool is_function(const struct ct_elf *elf, const Elf64_Sym *symbol)
{
	return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_shndx < elf->section_count;
}

/* $<kernel>$<callee>, of which neither has a $. */
static const char *callee_of(const char *symbol)
{
	const char *last = *symbol == '$' ? strrchr(symbol, '$') : NULL;

	return last && last != symbol ? last + 1 : symbol;
}

static int number_names(struct ct_cubin *cubin)
{
	for (size_t i = 0; i < cubin->function_count; i++) {
		const char *symbol = cubin->functions[i].symbol;
		union ct_map_value *first =
		    ct_map_put(&cubin->by_name, ct_hash_join_string(0, symbol),
			       ct_hash_join_string(1, symbol));

		if (!first)
			return -ENOMEM;
		if (!first->number)
			first->number = i + 1;
	}
	return 0;
}

static int list_functions(struct ct_cubin *cubin)
{
	const struct ct_elf *elf = &cubin->elf;

	cubin->functions =
	    calloc(elf->symbol_count + !elf->symbol_count, sizeof(*cubin->functions));
	if (!cubin->functions)
		return -ENOMEM;
	for (size_t i = 0; i < elf->symbol_count; i++) {
		const Elf64_Sym *symbol = &elf->symbols[i];
		const char *name = ct_elf_symbol_name(elf, symbol);

		if (is_function(elf, symbol) && *name)
			cubin->functions[cubin->function_count++] =
			    (struct ct_cubin_function){.section = symbol->st_shndx,
						       .address = symbol->st_value,
						       .bytes = symbol->st_size,
						       .symbol = name,
						       .name = callee_of(name)};
	}
	qsort(cubin->functions, cubin->function_count, sizeof(*cubin->functions),
	      compare_functions);
	return number_names(cubin);
}

static int read_lines(struct ct_cubin *cubin)
{
	int source_err = ct_lines_read(&cubin->source, &cubin->elf, ".debug_line");
	int ptx_err = ct_lines_read(&cubin->ptx, &cubin->elf, ".nv_debug_line_sass");

	cubin->is_damaged = source_err == -CT_EFORMAT || ptx_err == -CT_EFORMAT;
	return source_err == -ENOMEM || ptx_err == -ENOMEM ? -ENOMEM : 0;
}

int ct_cubin_open(struct ct_cubin **out, const void *bytes, size_t size)
{
	struct ct_cubin *cubin = calloc(1, sizeof(*cubin));
	int err = -ENOMEM;

	*out = NULL;
	if (!cubin)
		return -ENOMEM;
	cubin->bytes = malloc(size + !size);
	if (!cubin->bytes)
		goto close;
	memcpy(cubin->bytes, bytes, size);
	err = ct_elf_view(&cubin->elf, cubin->bytes, size);
	if (err == 0)
		err = list_functions(cubin);
	if (err == 0)
		err = read_lines(cubin);
	if (err < 0)
		goto close;
	cubin->names = ct_elf_content(&cubin->elf, ct_elf_section(&cubin->elf, ".debug_str"),
				      &cubin->name_bytes);
	*out = cubin;
	return 0;

close:
	ct_cubin_close(cubin);
	return err;
}

void ct_cubin_close(struct ct_cubin *cubin)
{
	if (!cubin)
		return;
	ct_lines_fini(&cubin->source);
	ct_lines_fini(&cubin->ptx);
	ct_map_fini(&cubin->by_name);
	free(cubin->functions);
	free(cubin->bytes);
	free(cubin);
}

bool ct_cubin_is_damaged(const struct ct_cubin *cubin)
{
	return cubin->is_damaged;
}

/* The first in their order; NULL: there is none. */
static const struct ct_cubin_function *named(const struct ct_cubin *cubin, const char *symbol)
{
	const union ct_map_value *first = ct_map_find(
	    &cubin->by_name, ct_hash_join_string(0, symbol), ct_hash_join_string(1, symbol));

	return first ? &cubin->functions[first->number - 1] : NULL;
}

/* The last one that begins there or before; a callee lies within its kernel's. */
static const char *holder(const struct ct_cubin *cubin, uint32_t section, uint64_t address)
{
	size_t low = 0, high = cubin->function_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct ct_cubin_function *function = &cubin->functions[middle];

		if (function->section < section ||
		    (function->section == section && function->address <= address))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low-- > 0 && cubin->functions[low].section == section;)
		if (address - cubin->functions[low].address < cubin->functions[low].bytes)
			return cubin->functions[low].name;
	return "";
}

bool ct_cubin_find(const struct ct_cubin *cubin, const char *function, uint64_t pc,
		   struct ct_cubin_place *place)
{
	const struct ct_cubin_function *begin = named(cubin, function);
	const struct ct_line *ptx;

	*place = (struct ct_cubin_place){.symbol = "", .file = "", .ptx_file = ""};
	if (!begin)
		return false;
	place->section = begin->section;
	place->address = begin->address + pc;
	place->symbol = holder(cubin, place->section, place->address);
	place->source = ct_lines_find(&cubin->source, place->section, place->address);
	ptx = ct_lines_find(&cubin->ptx, place->section, place->address);
	if (place->source) {
		place->file = ct_lines_file(&cubin->source, place->source);
		place->line = place->source->line;
	}
	if (ptx) {
		place->ptx_line = ptx->line;
		place->ptx_file = ct_lines_file(&cubin->ptx, ptx);
	}
	return true;
}

const struct ct_line *ct_cubin_caller(const struct ct_cubin *cubin, const struct ct_line *row,
				      const char **callee)
{
	const struct ct_line *caller = ct_lines_caller(&cubin->source, row);
	const char *name =
	    cubin->names && row->function < cubin->name_bytes ? cubin->names + row->function : NULL;

	*callee = caller && name && memchr(name, 0, cubin->name_bytes - row->function) ? name : "";
	return caller;
}

const char *ct_cubin_file(const struct ct_cubin *cubin, const struct ct_line *row)
{
	return ct_lines_file(&cubin->source, row);
}

const char *ct_cubin_ptx(const struct ct_cubin *cubin, const char *ptx_file, size_t *bytes)
{
	size_t section = ct_elf_section(&cubin->elf, *ptx_file ? ptx_file : ".nv_debug_ptx_txt");
	const char *text = section ? ct_elf_content(&cubin->elf, section, bytes) : NULL;

	return text && *bytes && !text[*bytes - 1] ? text : NULL;
}

size_t ct_cubin_functions(const struct ct_cubin *cubin, const struct ct_cubin_function **functions)
{
	*functions = cubin->functions;
	return cubin->function_count;
}

const struct ct_lines *ct_cubin_lines(const struct ct_cubin *cubin, bool of_ptx)
{
	return of_ptx ? &cubin->ptx : &cubin->source;
}
