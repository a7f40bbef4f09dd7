/* SPDX-License-Identifier: Apache-2.0 */
/* Branches, ways back and tests among machine instructions. */
#include "postproc/analysis/branches/code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct reader {
	struct ct_branches_code *to;
	const struct ct_sass_code *sass;
	const struct ct_cubin *cubin;
	const char *symbol;
	const char **routine; /* by instruction: of the assembler's that holds it; NULL: none */
	uint32_t *block_of;   /* by instruction */
};

const char *ct_branches_file(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Functions that begin with $__internal_ are the assembler's. */
static void find_routines(struct reader *r)
{
	const struct ct_cubin_function *functions;
	size_t count = ct_cubin_functions(r->cubin, &functions);
	struct ct_cubin_place place;

	if (!ct_cubin_find(r->cubin, r->symbol, 0, &place))
		return;
	for (size_t f = 0; f < count; f++) {
		const struct ct_cubin_function *function = &functions[f];
		uint64_t first = function->address / CT_SASS_BYTES,
			 end = first + function->bytes / CT_SASS_BYTES;

		if (function->section != place.section ||
		    strncmp(function->symbol, "$__internal_", strlen("$__internal_")) != 0)
			continue;
		for (uint64_t i = first; i < end && i < r->sass->instructions; i++)
			r->routine[i] = function->symbol;
	}
}

static void number_blocks(struct reader *r)
{
	for (uint32_t b = 0; b < r->sass->blocks; b++)
		for (uint32_t i = 0; i < r->sass->block[b].count; i++)
			r->block_of[r->sass->block[b].first + i] = b;
}

static void find_place(const struct reader *r, uint32_t instruction, const char **file,
		       uint32_t *line)
{
	struct ct_cubin_place place;

	*file = "";
	*line = 0;
	if (!ct_cubin_find(r->cubin, r->symbol, (uint64_t)instruction * CT_SASS_BYTES, &place))
		return;
	*file = ct_branches_file(place.file);
	*line = place.line;
}

static void complain(struct reader *r, uint32_t instruction, const char *why)
{
	if (r->to->why)
		return;
	r->to->why = why;
	find_place(r, instruction, &r->to->file, &r->to->line);
}

/* The routine that a call leads to; NULL: another function, or not known. */
static const char *routine_of(const struct reader *r, const struct ct_sass_instruction *call)
{
	return call->callee != NONE ? r->routine[call->callee] : NULL;
}

/* Whether the block calls what divides the hard way. */
static bool is_slow(const struct reader *r, uint32_t block)
{
	const struct ct_sass_block *of;

	if (block == NONE)
		return false;
	of = &r->sass->block[block];
	for (uint32_t i = of->first; i < of->first + of->count; i++) {
		const char *routine = routine_of(r, &r->sass->instruction[i]);

		if (routine && strstr(routine, "path"))
			return true;
	}
	return false;
}

static void add(struct reader *r, uint32_t i)
{
	const struct ct_sass_instruction *in = &r->sass->instruction[i];
	uint32_t block = r->block_of[i];
	struct ct_branches_instruction *to = &r->to->of[r->to->count];

	*to = (struct ct_branches_instruction){
	    .kind = CT_BRANCHES_GUARDED,
	    .goes_back = in->target <= i,
	    .block = block,
	    .to = r->block_of[in->target],
	};
	if (!in->is_guarded)
		to->kind = CT_BRANCHES_WAY_BACK;
	else if (is_slow(r, r->sass->block[block].next[0]) ||
		 is_slow(r, r->sass->block[block].next[1]))
		to->kind = CT_BRANCHES_TEST;
	/* Code is padded by branches to themselves. */
	if (!in->is_guarded && (!to->goes_back || in->target == i))
		return;
	find_place(r, i, &to->file, &to->line);
	r->to->count++;
}

static void read_code(struct reader *r)
{
	for (uint32_t i = 0; i < r->sass->instructions; i++) {
		const struct ct_sass_instruction *in = &r->sass->instruction[i];
		const char *routine = routine_of(r, in);

		if (r->routine[i])
			continue;
		if (in->asks)
			complain(r, i,
				 "what counters make of a branch that asks which lanes are there");
		else if (in->is_table)
			complain(r, i, "what counters make of a jump by a table");
		else if (in->is_call && !(routine && strstr(routine, "path")))
			complain(r, i, "branches of a function that is called");
		else if (in->target != NONE)
			add(r, i);
	}
}

int ct_branches_code_read(struct ct_branches_code *code, const struct ct_sass_code *sass,
			  const struct ct_cubin *cubin, const char *symbol)
{
	struct reader r = {.to = code, .sass = sass, .cubin = cubin, .symbol = symbol};
	int err = -ENOMEM;

	*code = (struct ct_branches_code){.file = ""};
	code->of = calloc(sass->instructions + 1u, sizeof(*code->of));
	r.routine = calloc(sass->instructions + 1u, sizeof(*r.routine));
	r.block_of = calloc(sass->instructions + 1u, sizeof(*r.block_of));
	if (code->of && r.routine && r.block_of) {
		find_routines(&r);
		number_blocks(&r);
		read_code(&r);
		err = 0;
	}
	free(r.routine);
	free(r.block_of);
	return err;
}

struct ct_branches_instruction *ct_branches_only_back(const struct ct_branches_code *code,
						      uint32_t block)
{
	struct ct_branches_instruction *only = NULL;

	for (size_t i = 0; i < code->count; i++) {
		if (!code->of[i].goes_back || code->of[i].to != block)
			continue;
		if (only)
			return NULL;
		only = &code->of[i];
	}
	return only;
}

void ct_branches_code_fini(struct ct_branches_code *code)
{
	free(code->of);
	*code = (struct ct_branches_code){.of = NULL};
}
