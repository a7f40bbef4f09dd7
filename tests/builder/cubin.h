/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cubin made by hand: symbols, line tables with relocations, the text of its PTX; no code.
 *
 *	struct build_cubin *c = build_cubin();
 *
 *	build_cubin_function(c, "_Z4stepPi", 0x100);		its .text section
 *	build_cubin_callee(c, "$_Z4stepPi$_Z3farf", 0x80, 0x80);	in the section of the last
 *function build_cubin_line(c, BUILD_SOURCE, 0x10, 5);		address, line: of the last function
 *	build_cubin_line(c, BUILD_PTX, 0x10, 15);
 *	build_cubin_ptx(c, "ld.global.b32 %r1, [%rd1];");		the next line, from 1
 *	bytes = build_cubin_bytes(c, &size);			freed by the caller; c is gone
 */
#ifndef CT_TEST_BUILDER_CUBIN_H
#define CT_TEST_BUILDER_CUBIN_H

#include <stddef.h>
#include <stdint.h>

enum build_lines { BUILD_SOURCE, BUILD_PTX, BUILD_LINE_TABLES };

struct build_cubin;

struct build_cubin *build_cubin(void);
void build_cubin_function(struct build_cubin *c, const char *symbol, uint64_t bytes);
void build_cubin_callee(struct build_cubin *c, const char *symbol, uint64_t address,
			uint64_t bytes);
/* Addresses of a table and function ascend; the function's rows end with it. The source's file is
 * "dir/step.cu". */
void build_cubin_line(struct build_cubin *c, enum build_lines table, uint64_t address,
		      uint32_t line);
/* The same of the source, inlined at the call of a row of the function, from 1, as nvcc tells. */
void build_cubin_inlined(struct build_cubin *c, uint64_t address, uint32_t line, uint8_t caller);
void build_cubin_ptx(struct build_cubin *c, const char *line);
void *build_cubin_bytes(struct build_cubin *c, size_t *bytes);

#endif
