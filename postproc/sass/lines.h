/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Line tables of a cubin, as ptxas writes them: DWARF of version 2 in .debug_line (lines of the
 * source) and in .nv_debug_line_sass (lines of the PTX). Each .text section is at address 0, and
 * relocations say which one a sequence is of. nvcc's have two more extended opcodes, which report
 * inlined calls.
 */
#ifndef CT_POSTPROC_SASS_LINES_H
#define CT_POSTPROC_SASS_LINES_H

#include "postproc/sass/elf.h"

struct ct_line {
	uint64_t address; /* in its section; up to that of the next one of the section */
	uint32_t section;
	uint32_t file;     /* number of ct_lines.files */
	uint32_t line;     /* 0: none */
	uint32_t column;   /* 0: none */
	uint32_t context;  /* 1 + index in `written` of the row of the call that it is inlined at;
			      0: it is not */
	uint32_t function; /* offset in .debug_str of the function's name, if it is inlined */
	bool is_end;       /* nothing is known from here on */
};

struct ct_lines {
	struct ct_line *rows;    /* by section and address */
	struct ct_line *written; /* in the order of the table, as contexts count */
	size_t count;
	char **files; /* with their directories */
	size_t file_count;
};

/* The table in a section of that name. Without the section it is empty. 0, -ENOMEM, or -CT_EFORMAT:
 * it is damaged, or of a version that is not known; what was read before stays. ct_lines_fini in
 * any case. */
int ct_lines_read(struct ct_lines *lines, const struct ct_elf *elf, const char *name);
void ct_lines_fini(struct ct_lines *lines);

/* The row that holds an address of a section, or NULL. */
const struct ct_line *ct_lines_find(const struct ct_lines *lines, uint32_t section,
				    uint64_t address);
/* The row of the call that this one's instruction was inlined at, or NULL. */
const struct ct_line *ct_lines_caller(const struct ct_lines *lines, const struct ct_line *line);
const char *ct_lines_file(const struct ct_lines *lines, const struct ct_line *line); /* or "" */

#endif
