/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a module's symbol table, by address. */
#include "postproc/symbols/symtab.h"
#include "base/array.h"
#include "base/search.h"
#include <errno.h>
#include <stdlib.h>

/* The longest of several at one address stands last, which is found first. */
static int compare(const void *a, const void *b)
{
	const struct ct_code_symbol *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->high < y->high ? -1 : x->high > y->high;
}

static int add_symbol(struct ct_code_symtab *symtab, size_t *room, Dwfl_Module *module, int index)
{
	GElf_Sym symbol;
	GElf_Addr address;
	const char *name =
	    dwfl_module_getsym_info(module, index, &symbol, &address, NULL, NULL, NULL);
	int type = name ? GELF_ST_TYPE(symbol.st_info) : STT_NOTYPE;

	if (!name || !*name || symbol.st_shndx == SHN_UNDEF ||
	    (type != STT_FUNC && type != STT_GNU_IFUNC))
		return 0;
	if (ct_array_reserve(&symtab->symbol, room, symtab->count + 1, sizeof(*symtab->symbol)) < 0)
		return -ENOMEM;
	symtab->symbol[symtab->count++] =
	    (struct ct_code_symbol){address, address + symbol.st_size, name};
	return 0;
}

/* Assembly may leave sizes out: such a function goes on to the next one. */
static void close_open_ones(struct ct_code_symtab *symtab)
{
	for (size_t i = 0; i < symtab->count; i++) {
		struct ct_code_symbol *at = &symtab->symbol[i];

		for (size_t next = i + 1; at->high == at->low && next < symtab->count; next++)
			if (symtab->symbol[next].low > at->low)
				at->high = symtab->symbol[next].low;
	}
}

int ct_symtab_init(struct ct_code_symtab *symtab, Dwfl_Module *module)
{
	int count = dwfl_module_getsymtab(module), err = 0;
	size_t room = 0;

	*symtab = (struct ct_code_symtab){0};
	for (int i = 1; i < count && err == 0; i++)
		err = add_symbol(symtab, &room, module, i);
	if (err < 0) {
		ct_symtab_fini(symtab);
		return err;
	}
	if (symtab->count)
		qsort(symtab->symbol, symtab->count, sizeof(*symtab->symbol), compare);
	close_open_ones(symtab);
	return 0;
}

void ct_symtab_fini(struct ct_code_symtab *symtab)
{
	free(symtab->symbol);
	*symtab = (struct ct_code_symtab){0};
}

#define INSIDE_MAX 8u /* symbols that may begin within a function before the address */

const char *ct_symtab_find(const struct ct_code_symtab *symtab, GElf_Addr address)
{
	size_t above =
	    ct_search_above(symtab->symbol, symtab->count, sizeof(*symtab->symbol), address);

	for (unsigned i = 0; i < INSIDE_MAX && above > i; i++)
		if (address < symtab->symbol[above - 1 - i].high)
			return symtab->symbol[above - 1 - i].name;
	return NULL;
}
