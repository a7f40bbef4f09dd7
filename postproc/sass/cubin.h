/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cubin: from a program counter to the function whose code it is, the line of the source and the
 * line of the PTX, without external tools. Source: blame.md, section 3.
 *
 *	.text.<kernel>	kernel, and callees that were not inlined: $<kernel>$<callee>
 *	.text.<callee>	of relocatable code
 */
#ifndef CT_POSTPROC_SASS_CUBIN_H
#define CT_POSTPROC_SASS_CUBIN_H

#include "postproc/sass/lines.h"

struct ct_cubin;

/* A copy is made. 0, -ENOMEM, or -CT_EFORMAT: it is no cubin. Damaged line tables are no error:
 * what they have before the damage is known (ct_cubin_is_damaged). */
int ct_cubin_open(struct ct_cubin **out, const void *bytes, size_t size);
void ct_cubin_close(struct ct_cubin *cubin); /* NULL is allowed */
bool ct_cubin_is_damaged(const struct ct_cubin *cubin);

struct ct_cubin_place {
	uint32_t section;
	uint64_t address;             /* in the section */
	const char *symbol;           /* mangled, of the function that holds it; "" not known */
	const char *file;             /* of the source; "" not known */
	uint32_t line;                /* of the source; 0 not known */
	uint32_t ptx_line;            /* from 1; 0 not known */
	const char *ptx_file;         /* the section that holds the PTX's text, "" not known */
	const struct ct_line *source; /* the row of .debug_line; NULL not known */
};

/* pc: bytes from the beginning of the function of that symbol. False: there is no such function. */
bool ct_cubin_find(const struct ct_cubin *cubin, const char *function, uint64_t pc,
		   struct ct_cubin_place *place);

/* The call that a row's instruction was inlined at (nvcc tells): the row of the call, or NULL.
 * *callee: the function that was inlined there, "" not known. */
const struct ct_line *ct_cubin_caller(const struct ct_cubin *cubin, const struct ct_line *row,
				      const char **callee);
const char *ct_cubin_file(const struct ct_cubin *cubin, const struct ct_line *row);

/* The text of the PTX: lines that end with a zero each, as .nv_debug_ptx_txt has them; locations
 * and most comments are left out. NULL: it is not there. */
const char *ct_cubin_ptx(const struct ct_cubin *cubin, const char *ptx_file, size_t *bytes);

/* Functions of the cubin, by section and address. */
struct ct_cubin_function {
	uint32_t section;
	uint64_t address, bytes;
	const char *symbol; /* as in the cubin: with $ */
	const char *name;   /* the callee alone */
};
size_t ct_cubin_functions(const struct ct_cubin *cubin, const struct ct_cubin_function **functions);

/* Rows of the PTX's line table, by section and address, and of the source's. */
const struct ct_lines *ct_cubin_lines(const struct ct_cubin *cubin, bool of_ptx);

#endif
