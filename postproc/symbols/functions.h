/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which functions an address of a compilation unit is in: the one whose code it is, and those
 * that were inlined there. Damaged debug information gives wrong ones, or none.
 */
#ifndef CT_POSTPROC_SYMBOLS_FUNCTIONS_H
#define CT_POSTPROC_SYMBOLS_FUNCTIONS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_NO_FUNCTION UINT32_MAX

struct ct_code_function {
	Dwarf_Die die;
	uint32_t outer;   /* what it was inlined into; CT_NO_FUNCTION: it was not */
	uint32_t name;    /* for the caller; 0 at first */
	uint32_t line;    /* of the call that was inlined; 0 unknown */
	const char *file; /* likewise; the unit's, or NULL */
};

/* From low on the innermost function is this. */
struct ct_function_segment {
	Dwarf_Addr low;
	uint32_t function;
};

struct ct_code_functions {
	struct ct_code_function *function;
	size_t count;
	struct ct_function_segment *segment; /* by address */
	size_t segments;
};

/* die: of the unit, which is in memory as long as they are. 0 or -ENOMEM */
int ct_functions_init(struct ct_code_functions *functions, Dwarf_Die *die);
void ct_functions_fini(struct ct_code_functions *functions);

/* The innermost one; CT_NO_FUNCTION: none is there. */
uint32_t ct_functions_find(const struct ct_code_functions *functions, Dwarf_Addr address);

#endif
