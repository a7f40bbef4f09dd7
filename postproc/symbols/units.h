/* SPDX-License-Identifier: Apache-2.0 */
/* Compilation units of a module's debug information, by address. */
#ifndef CT_POSTPROC_SYMBOLS_UNITS_H
#define CT_POSTPROC_SYMBOLS_UNITS_H

#include "postproc/symbols/functions.h"

struct ct_code_unit {
	Dwarf_Die die;   /* has the lines */
	Dwarf_Die split; /* has the functions: itself, or in a file of its own (.dwo) */
	struct ct_code_functions functions; /* when it is asked for */
	bool is_loaded;
};

struct ct_unit_span {
	Dwarf_Addr low, high;
	uint32_t unit;
};

struct ct_code_units {
	struct ct_code_unit *unit;
	size_t count;
	struct ct_unit_span *span; /* by address */
	size_t spans;
};

/* dwarf: in memory as long as they are; NULL: there are none. 0 or -ENOMEM */
int ct_code_units_init(struct ct_code_units *units, Dwarf *dwarf);
void ct_code_units_fini(struct ct_code_units *units);

/* The unit that address is of, with its functions, or NULL; *err: -ENOMEM */
struct ct_code_unit *ct_code_units_find(struct ct_code_units *units, Dwarf_Addr address, int *err);

#endif
