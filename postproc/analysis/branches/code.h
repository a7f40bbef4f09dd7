/* SPDX-License-Identifier: Apache-2.0 */
/* The branches of a kernel's machine code, without those of routines that the assembler brings. */
#ifndef CT_POSTPROC_ANALYSIS_BRANCHES_CODE_H
#define CT_POSTPROC_ANALYSIS_BRANCHES_CODE_H

#include "postproc/sass/cubin.h"
#include "postproc/sass/decode.h"

enum ct_branches_kind {
	CT_BRANCHES_GUARDED,  /* has a condition */
	CT_BRANCHES_WAY_BACK, /* has none, and leads back */
	CT_BRANCHES_TEST,     /* asks whether a division, or a root, goes its slow way */
};

struct ct_branches_instruction {
	enum ct_branches_kind kind;
	bool goes_back;     /* to its own block, or one before it */
	const char *file;   /* of the cubin, without its folders; "" not known */
	uint32_t line;      /* 0 not known */
	uint32_t block, to; /* of the code: its own, and the one that it leads to */
	bool is_paired;     /* what it was is known (fates.h) */
};

struct ct_branches_code {
	struct ct_branches_instruction *of;
	size_t count;
	const char *why; /* what counters make of it is not known; NULL: it is */
	const char *file;
	uint32_t line;
};

/* Symbol: of the kernel, whose code that is. 0 or -ENOMEM; ct_branches_code_fini in any case. */
int ct_branches_code_read(struct ct_branches_code *code, const struct ct_sass_code *sass,
			  const struct ct_cubin *cubin, const char *symbol);
void ct_branches_code_fini(struct ct_branches_code *code);

/* Returns the only instruction that leads back to a block; NULL: there are several, or none. */
struct ct_branches_instruction *ct_branches_only_back(const struct ct_branches_code *code,
						      uint32_t block);

/* Returns the name behind the last slash. */
const char *ct_branches_file(const char *path);

#endif
