/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places: what of the source each line of a unit's PTX is of. Assemblers keep of `.loc` the file
 * and the line alone, but tell which line of the PTX an instruction of the device is of
 * (.nv_debug_line_sass). Written by the LLVM pass when the PTX is, embedded in the host object,
 * handed to host-rt at start-up and copied unchanged into the trace (chunk kind CODE).
 *
 *   struct ct_places_header
 *   struct ct_places_function [function_count]	pristine ones, in the order of the PTX
 *   struct ct_places_row      [row_count]
 *   struct ct_ptx_place           [place_count]
 *   char strings[string_bytes]     NUL-terminated; offset 0 is ""
 *
 * Little-endian, without padding. "str" is an offset into strings.
 */
#ifndef CUDATRACE_PLACES_H
#define CUDATRACE_PLACES_H

#include <stdint.h>

#define CT_PLACES_MAGIC 0x4c505443u /* "CTPL" */
#define CT_PLACES_VERSION 1u
#define CT_NO_PLACE 0xffffffffu

struct ct_places_header {
	uint32_t magic;
	uint16_t version;
	uint16_t header_bytes; /* sizeof(struct ct_places_header) */
	uint64_t unit_id;
	uint32_t arch; /* 90 for sm_90 */
	uint32_t function_count;
	uint32_t row_count;
	uint32_t place_count;
	uint32_t string_bytes;
	uint32_t reserved; /* 0 */
};

struct ct_places_function {
	uint32_t name;                  /* str: its symbol */
	uint32_t first_line, last_line; /* of the PTX, from 1 */
	uint32_t row_first, row_count;
};

/* The lines of the PTX behind this one, up to the next row or the function's end, are of place. */
struct ct_places_row {
	uint32_t line;
	uint32_t place;
};

/* A place of the source, and the call that it was inlined at: the same chain is the same place. */
struct ct_ptx_place {
	uint32_t function;   /* str: linkage name of the subprogram; 0 not known */
	uint32_t file;       /* str */
	uint32_t line;       /* 0: none */
	uint32_t column;     /* 0: none */
	uint32_t inlined_at; /* index of the place of the call, or CT_NO_PLACE */
};

#endif
