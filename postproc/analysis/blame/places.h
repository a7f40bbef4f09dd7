/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up what units say of places of the source: statements and calls by their keys. */
#ifndef CT_POSTPROC_ANALYSIS_BLAME_PLACES_H
#define CT_POSTPROC_ANALYSIS_BLAME_PLACES_H

#include "trace/read/reader.h"
#include <stdbool.h>

/* A place on the way from an instruction to its kernel. Texts are the unit's. */
struct ct_blame_frame {
	uint32_t unit;        /* of the trace */
	const char *function; /* linkage name; "" not known: a call that was inlined itself */
	const char *file;
	uint32_t line, column;
	bool is_inlined; /* the function, as far as the unit says */
};

struct ct_blame_places;

/* The units outlive them. 0 or -ENOMEM. */
int ct_blame_places_open(struct ct_blame_places **out, const struct ct_unit *units, size_t count);
void ct_blame_places_close(struct ct_blame_places *places); /* NULL is allowed */

/* Returns the statement of the innermost of so many frames. NULL: none. Another one of the line,
 * if the column is none's; if its function is not known, that of one that the next frame calls. */
const struct ct_unit_statement *ct_blame_statement(const struct ct_blame_places *places,
						   const struct ct_blame_frame *at, uint32_t depth);

/* The call of callee at a place; its function is looked up if it is not known. NULL: none. */
const struct ct_unit_call *ct_blame_call(const struct ct_blame_places *places,
					 const struct ct_blame_frame *at, const char *callee);

/* The calls that may reach a function, in all units: *call of *unit, from *at (0 at first) on;
 * false: no more. */
bool ct_blame_callers(const struct ct_blame_places *places, const char *callee, size_t *at,
		      uint32_t *unit, const struct ct_unit_call **call);

#endif
