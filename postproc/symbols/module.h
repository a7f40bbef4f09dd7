/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file that a module's code is in, and its debug information: the file itself, else what
 * bears its build id in the directories of separate debug files or with debuginfod.
 */
#ifndef CT_POSTPROC_SYMBOLS_MODULE_H
#define CT_POSTPROC_SYMBOLS_MODULE_H

#include "postproc/symbols/stacks.h"
#include <elfutils/libdwfl.h>
#include <stdbool.h>

struct ct_code_module {
	Dwfl *session;
	Dwfl_Module *module; /* NULL: nothing bears its names */
	GElf_Addr bias;      /* of its addresses, to those in the file */
	Dwarf *dwarf;        /* NULL: none */
	Dwarf_Addr dwarf_bias;
	bool is_other;   /* the file at the path is of another build, or changed since it ran */
	bool is_missing; /* no file is there */
	Dwfl_Callbacks callbacks;
	char *debug_path;
};

/* debug_path: directories of separate debug files as elfutils takes them, with colons between.
 * Which is borrowed as the file is. 0 or -ENOMEM; that there is nothing is no error. */
int ct_module_open(struct ct_code_module *module, const struct ct_code_file *file,
		   const char *debug_path);
void ct_module_close(struct ct_code_module *module);

#endif
