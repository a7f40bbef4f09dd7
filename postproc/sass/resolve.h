/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code of a trace: cubins and places, and where each sampled instruction stands in the source.
 *
 *	(cubin, function, pc) ──.nv_debug_line_sass──► line of the PTX ──places──► file, line,
 *	        └──.debug_line──► file, line                       column, calls inlined
 *
 * The second way is taken where there are no places: code of other compilers, which have inlined
 * calls in .debug_line (nvcc) or tell nothing of them.
 */
#ifndef CT_POSTPROC_SASS_RESOLVE_H
#define CT_POSTPROC_SASS_RESOLVE_H

#include "postproc/facts/weights.h"
#include "postproc/sass/ptx.h"
#include "trace/read/reader.h"

struct ct_code;

/* Borrows the trace. 0 or -ENOMEM; code that is damaged is left out, or read up to the damage. */
int ct_code_open(struct ct_code **out, const struct ct_trace *trace);
void ct_code_close(struct ct_code *code); /* NULL is allowed */

/* Where an instruction stands. */
struct ct_instruction {
	const char *symbol; /* mangled, of the function that holds it; as long as the code */
	uint32_t place;     /* of ct_code_places, or CT_WEIGHT_NONE */
	uint32_t section;   /* of the cubin */
	uint32_t cubin;     /* of the code's, or CT_WEIGHT_NONE: the trace does not have it */
	uint32_t ptx_text;  /* for ct_code_producers; CT_WEIGHT_NONE: there is none */
	uint32_t ptx_line;
};

/* function: as SAMPLE names it. 0 or -ENOMEM. */
int ct_code_find(struct ct_code *code, uint64_t cubin, const char *function, uint64_t pc,
		 struct ct_instruction *place);

/* The places of what the instruction waits for (ct_ptx_producers), of which there are *count.
 * Places that are not known are CT_WEIGHT_NONE. 0 or -ENOMEM. */
int ct_code_producers(struct ct_code *code, const struct ct_instruction *at,
		      enum ct_ptx_producer what, uint32_t places[CT_PTX_PRODUCERS_MAX],
		      size_t *count);

/* By line of its text, of which there are *lines: what runs before the barrier at an instruction
 * (ct_ptx_before). */
bool *ct_code_before(const struct ct_code *code, const struct ct_instruction *at, size_t *lines);

/* All that were found so far. Their strings live as long as the code. */
size_t ct_code_places(const struct ct_code *code, const struct ct_weight_place **places);

/* How many cubins the trace has, and how many of these have line tables that are damaged, and none
 * at all. */
void ct_code_count(const struct ct_code *code, size_t *cubins, size_t *damaged, size_t *unlined);

#endif
