/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a module's symbol table, by address. */
#ifndef CT_POSTPROC_SYMBOLS_SYMTAB_H
#define CT_POSTPROC_SYMBOLS_SYMTAB_H

#include <elfutils/libdwfl.h>
#include <stddef.h>

struct ct_code_symbol {
	GElf_Addr low, high;
	const char *name; /* the module's */
};

struct ct_code_symtab {
	struct ct_code_symbol *symbol; /* by address */
	size_t count;
};

/* A table that is missing or damaged is empty. 0 or -ENOMEM */
int ct_symtab_init(struct ct_code_symtab *symtab, Dwfl_Module *module);
void ct_symtab_fini(struct ct_code_symtab *symtab);

/* The name of the function that address is in, or NULL. */
const char *ct_symtab_find(const struct ct_code_symtab *symtab, GElf_Addr address);

#endif
