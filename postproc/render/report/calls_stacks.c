/* SPDX-License-Identifier: Apache-2.0 */
/* Host stacks in the report. */
#include "postproc/render/report/calls_stacks.h"
#include "base/array.h"
#include "postproc/render/report/calls.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 65536u
#define DEPTH_MAX 4096u

struct row_page_stacks {
	uint32_t caller, frame;
};

struct row_page_frames {
	const struct ct_code_frame *frame;
	struct ct_source_line place;
	const char *module;
};

#define CT_DESCRIBED "postproc/render/report/stacks.def"
#include "postproc/tables/described.h"

/* The step below another one; 0: memory is short, or there are too many. */
static uint32_t step_below(struct ct_report_stacks *stacks, uint32_t caller, uint32_t frame,
			   int *err)
{
	union ct_map_value *known;

	if (stacks->steps == STEPS_MAX) {
		known = ct_map_find(&stacks->children, caller, frame);
		stacks->is_cut = stacks->is_cut || !known;
		return known ? (uint32_t)known->number : 0;
	}
	known = ct_map_put(&stacks->children, caller, frame);
	if (!known ||
	    (!known->number && (ct_array_reserve(&stacks->caller, &stacks->room[0],
						 stacks->steps + 1, sizeof(*stacks->caller)) < 0 ||
				ct_array_reserve(&stacks->frame, &stacks->room[1],
						 stacks->steps + 1, sizeof(*stacks->frame)) < 0))) {
		*err = -ENOMEM;
		return 0;
	}
	if (!known->number) {
		stacks->caller[stacks->steps] = caller;
		stacks->frame[stacks->steps] = frame;
		known->number = ++stacks->steps;
	}
	return (uint32_t)known->number;
}

/* A node whose caller has a step. */
static uint32_t add_node(struct ct_report_stacks *stacks, uint32_t node, uint32_t at, int *err)
{
	const struct ct_stack_tree *tree = ct_host_paths_stacks(stacks->paths);
	const struct ct_symbols *symbols = ct_host_paths_symbols(stacks->paths);
	const uint32_t *number;
	size_t count = ct_symbols_frames(symbols, tree->node[node].place, &number);

	while (count-- > 0) {
		uint32_t below;

		if (ct_host_frame_is_hidden(ct_symbols_frame(symbols, number[count])->function,
					    !at))
			continue;
		below = step_below(stacks, at, number[count], err);
		if (!below)
			return at;
		at = below;
	}
	return at;
}

uint32_t ct_report_stack_of(struct ct_report_stacks *stacks, uint32_t part, uint32_t row, int *err)
{
	const struct ct_stack_tree *tree;
	uint32_t chain[DEPTH_MAX], depth = 0, at = 0;
	const uint32_t *nodes;
	size_t rows;

	*err = 0;
	if (!stacks->paths || !ct_host_paths_symbols(stacks->paths) || !row)
		return 0;
	tree = ct_host_paths_stacks(stacks->paths);
	if (!stacks->step)
		stacks->step = calloc(tree->nodes, sizeof(*stacks->step));
	if (!stacks->step) {
		*err = -ENOMEM;
		return 0;
	}
	nodes = ct_stacks_part(tree, part, &rows);
	if (!nodes || row > rows)
		return 0;
	for (uint32_t node = nodes[row]; node && depth < DEPTH_MAX;
	     node = tree->node[node].caller) {
		if (stacks->step[node]) {
			at = stacks->step[node] - 1;
			break;
		}
		chain[depth++] = node;
	}
	while (depth-- > 0 && *err == 0) {
		at = add_node(stacks, chain[depth], at, err);
		stacks->step[chain[depth]] = at + 1;
	}
	return at;
}

int ct_report_stacks_number(struct ct_report_stacks *stacks)
{
	const struct ct_symbols *symbols =
	    stacks->steps ? ct_host_paths_symbols(stacks->paths) : NULL;
	size_t count = symbols ? ct_symbols_count(symbols) : 0;

	stacks->number = calloc(count + 1, sizeof(*stacks->number));
	stacks->used = calloc(count + 1, sizeof(*stacks->used));
	if (!stacks->number || !stacks->used)
		return -ENOMEM;
	for (size_t i = 0; i < stacks->steps; i++) {
		uint32_t frame = stacks->frame[i];

		if (stacks->number[frame])
			continue;
		stacks->used[stacks->frames] = frame;
		stacks->number[frame] = (uint32_t)++stacks->frames;
	}
	return 0;
}

static int rows_page_stacks(const void *from, struct ct_table_sink *sink)
{
	const struct ct_report_stacks *stacks = from;
	int err = 0;

	for (size_t i = 0; i < stacks->steps && err == 0; i++)
		err = ct_table_put_row(
		    sink, &(struct row_page_stacks){stacks->caller[i],
						    stacks->number[stacks->frame[i]] - 1});
	return err;
}

static int rows_page_frames(const void *from, struct ct_table_sink *sink)
{
	const struct ct_report_stacks *stacks = from;
	int err = 0;

	for (size_t i = 0; i < stacks->frames && err == 0; i++) {
		const struct ct_code_frame *frame =
		    ct_symbols_frame(ct_host_paths_symbols(stacks->paths), stacks->used[i]);
		const char *slash = strrchr(frame->module, '/');

		err = ct_table_put_row(
		    sink, &(struct row_page_frames){frame,
						    {frame->file, frame->line},
						    slash ? slash + 1 : frame->module});
	}
	return err;
}

const struct ct_table_def ct_page_stacks_table = {CT_TABLE_PARTS(page_stacks, NULL)};
const struct ct_table_def ct_page_frames_table = {CT_TABLE_PARTS(page_frames, NULL)};

void ct_report_stacks_fini(struct ct_report_stacks *stacks)
{
	ct_map_fini(&stacks->children);
	free(stacks->step);
	free(stacks->caller);
	free(stacks->frame);
	free(stacks->number);
	free(stacks->used);
}
