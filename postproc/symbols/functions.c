/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions an address of a compilation unit is in. */
#include "postproc/symbols/functions.h"
#include "base/array.h"
#include "base/search.h"
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#define DEPTH_MAX                                                                                  \
	256u /* of blocks and inlined calls inside each other; deeper ones are left out            \
	      */

struct span {
	Dwarf_Addr low, high;
	uint32_t function;
	uint32_t depth;
};

struct walk {
	struct ct_code_functions *functions;
	size_t room;
	struct span *span;
	size_t spans, span_room;
	Dwarf_Files *files;
	size_t file_count;
};

static uint32_t number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0)
		return 0;
	return (uint32_t)value;
}

static int add_spans(struct walk *walk, Dwarf_Die *die, uint32_t function, uint32_t depth)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		if (ct_array_reserve(&walk->span, &walk->span_room, walk->spans + 1,
				     sizeof(*walk->span)) < 0)
			return -ENOMEM;
		walk->span[walk->spans++] = (struct span){low, high, function, depth};
	}
	return 0;
}

/* Adds a function that has code. *within: what lies in its scope is inlined into it. */
static int add_function(struct walk *walk, Dwarf_Die *die, uint32_t depth, uint32_t *within)
{
	bool is_inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	struct ct_code_functions *functions = walk->functions;
	size_t spans = walk->spans;
	uint32_t file;
	int err = add_spans(walk, die, (uint32_t)functions->count, depth);

	if (err < 0 || walk->spans == spans)
		return err;
	if (ct_array_reserve(&functions->function, &walk->room, functions->count + 1,
			     sizeof(*functions->function)) < 0)
		return -ENOMEM;
	file = is_inlined ? number_of(die, DW_AT_call_file) : 0;
	functions->function[functions->count] = (struct ct_code_function){
	    .die = *die,
	    .outer = is_inlined ? *within : CT_NO_FUNCTION,
	    .line = is_inlined ? number_of(die, DW_AT_call_line) : 0,
	    .file = is_inlined && file < walk->file_count
			? dwarf_filesrc(walk->files, file, NULL, NULL)
			: NULL,
	};
	*within = (uint32_t)functions->count++;
	return 0;
}

static bool has_functions_inside(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block || tag == DW_TAG_module || tag == DW_TAG_with_stmt ||
	       tag == DW_TAG_common_block;
}

/* Walks a scope: what lies in it stands behind it, and in the file's order; what does not is
 * damaged. */
static int walk_scope(struct walk *walk, Dwarf_Die *scope, uint32_t within, uint32_t depth)
{
	Dwarf_Off before = dwarf_dieoffset(scope);
	Dwarf_Die die, next;
	int result = dwarf_child(scope, &die), err = 0;

	while (err == 0 && result == 0 && dwarf_dieoffset(&die) > before) {
		int tag = dwarf_tag(&die);
		bool is_function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
		uint32_t inside = within;

		if (is_function)
			err = add_function(walk, &die, depth, &inside);
		if (err == 0 && depth < DEPTH_MAX && (is_function || has_functions_inside(tag)))
			err = walk_scope(walk, &die, inside, depth + 1);
		before = dwarf_dieoffset(&die);
		result = dwarf_siblingof(&die, &next);
		die = next;
	}
	return err;
}

/* Functions that contain others stand before them. */
static int compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high > y->high ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static void put_segment(struct ct_code_functions *functions, Dwarf_Addr low, uint32_t function)
{
	if (functions->segments && functions->segment[functions->segments - 1].low == low)
		functions->segments--;
	functions->segment[functions->segments++] = (struct ct_function_segment){low, function};
}

/* Spans end within those that they begin in. Each begins a segment and ends one. */
static int make_segments(struct ct_code_functions *functions, struct span *span, size_t count)
{
	struct span *open = malloc((count + 1) * sizeof(*open));
	size_t depth = 0;

	functions->segment = malloc((2 * count + 1) * sizeof(*functions->segment));
	if (!open || !functions->segment) {
		free(open);
		return -ENOMEM;
	}
	for (size_t i = 0; i <= count; i++) {
		Dwarf_Addr low = i < count ? span[i].low : UINT64_MAX;

		for (; depth && open[depth - 1].high <= low; depth--)
			put_segment(functions, open[depth - 1].high,
				    depth > 1 ? open[depth - 2].function : CT_NO_FUNCTION);
		if (i == count)
			break;
		open[depth] = span[i];
		if (depth && open[depth].high > open[depth - 1].high)
			open[depth].high = open[depth - 1].high;
		depth++;
		put_segment(functions, low, span[i].function);
	}
	free(open);
	return 0;
}

int ct_functions_init(struct ct_code_functions *functions, Dwarf_Die *die)
{
	struct walk walk = {.functions = functions};
	int err;

	*functions = (struct ct_code_functions){0};
	if (dwarf_getsrcfiles(die, &walk.files, &walk.file_count) != 0)
		walk.file_count = 0;
	err = walk_scope(&walk, die, CT_NO_FUNCTION, 0);
	if (err == 0 && walk.spans)
		qsort(walk.span, walk.spans, sizeof(*walk.span), compare);
	if (err == 0)
		err = make_segments(functions, walk.span, walk.spans);
	free(walk.span);
	if (err < 0)
		ct_functions_fini(functions);
	return err;
}

void ct_functions_fini(struct ct_code_functions *functions)
{
	free(functions->function);
	free(functions->segment);
	*functions = (struct ct_code_functions){0};
}

uint32_t ct_functions_find(const struct ct_code_functions *functions, Dwarf_Addr address)
{
	size_t above = ct_search_above(functions->segment, functions->segments,
				       sizeof(*functions->segment), address);

	return above ? functions->segment[above - 1].function : CT_NO_FUNCTION;
}
