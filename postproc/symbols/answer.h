/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What functions return addresses of a module lie in, as a stream of answers. elfutils reads
 * files that anybody may have damaged, so it runs in a process of its own (process.h), and this
 * is what that one says:
 *
 *	u32 CT_ANSWER_TEXT, u32 bytes, bytes	a text; they are numbered from 1
 *	u32 CT_ANSWER_PLACE, u32 frames, frames	of the next address
 *	u32 CT_ANSWER_END, u32 flags		that is all, enum ct_code_file_flags
 */
#ifndef CT_POSTPROC_SYMBOLS_ANSWER_H
#define CT_POSTPROC_SYMBOLS_ANSWER_H

#include "postproc/symbols/stacks.h"
#include <stdbool.h>
#include <stdio.h>

enum ct_answer { CT_ANSWER_TEXT = 1, CT_ANSWER_PLACE, CT_ANSWER_END };

/* Innermost first; all but the last are inlined. Texts by number, 0: not known. */
struct ct_answer_frame {
	uint32_t function, file, line;
};

#define CT_ANSWER_FRAMES_MAX 512u

struct ct_question {
	const struct ct_code_file *file;
	const uint64_t *offset; /* return addresses, ascending */
	size_t count;
	const char *debug_path; /* as of ct_module_open */
	bool is_plain;          /* from the symbol table alone */
};

/* Answer them all, in their order. 0 or a negative error. */
int ct_answer(const struct ct_question *question, FILE *out);

#endif
