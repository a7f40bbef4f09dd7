/* SPDX-License-Identifier: Apache-2.0 */
/* Call paths as a tree of frames with names. */
#include "postproc/analysis/calls/tree.h"
#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

struct growing {
	struct ct_call_tree *tree;
	size_t room;
	struct ct_map children; /* parent, kind and what -> node */
	uint32_t *shown;        /* top-down: by node of the stacks, that of the tree */
};

/* The child of a node that has this at it; 0: memory is short, for the root is no child. */
static uint32_t child_of(struct growing *growing, uint32_t parent, uint32_t kind, uint32_t what)
{
	union ct_map_value *known =
	    ct_map_put(&growing->children, parent, (uint64_t)kind << 32 | what);
	struct ct_call_tree *tree = growing->tree;

	if (!known)
		return 0;
	if (known->number)
		return (uint32_t)known->number;
	if (ct_array_reserve(&tree->node, &growing->room, tree->count + 1, sizeof(*tree->node)) < 0)
		return 0;
	tree->node[tree->count] =
	    (struct ct_call_tree_node){.parent = parent, .kind = kind, .what = what};
	tree->node[parent].children++;
	known->number = tree->count++;
	return (uint32_t)known->number;
}

/* Below a stack's caller: its frames, what was inlined last. */
static uint32_t add_frames_inwards(struct growing *growing, uint32_t at, uint32_t place)
{
	const uint32_t *numbers;
	size_t count = ct_symbols_frames(growing->tree->symbols, place, &numbers);

	while (count-- > 0) {
		at = child_of(growing, at, CT_TREE_FRAME, numbers[count]);
		if (!at)
			return 0;
	}
	return at;
}

/* The stacks that paths end with, and all that lead to them. */
static int show_stacks(struct growing *growing)
{
	const struct ct_calls *calls = growing->tree->calls;
	const struct ct_stack_tree *stacks = calls->stacks;

	growing->shown = calloc(stacks->nodes, sizeof(*growing->shown));
	if (!growing->shown)
		return -ENOMEM;
	for (size_t i = 0; i < calls->paths; i++)
		growing->shown[calls->path[i].node] = 1;
	for (size_t i = stacks->nodes; i-- > 1;)
		if (growing->shown[i])
			growing->shown[stacks->node[i].caller] = 1;
	growing->shown[0] = 0;
	for (size_t i = 1; i < stacks->nodes; i++) {
		if (!growing->shown[i])
			continue;
		growing->shown[i] = add_frames_inwards(
		    growing, growing->shown[stacks->node[i].caller], stacks->node[i].place);
		if (!growing->shown[i])
			return -ENOMEM;
	}
	return 0;
}

static uint32_t top_down(struct growing *growing, const struct ct_calls_path *path)
{
	uint32_t at =
	    path->node ? growing->shown[path->node] : child_of(growing, 0, CT_TREE_UNKNOWN, 0);

	return at ? child_of(growing, at, CT_TREE_CALL, path->function) : 0;
}

static uint32_t bottom_up(struct growing *growing, const struct ct_calls_path *path)
{
	const struct ct_stack_tree *stacks = growing->tree->calls->stacks;
	uint32_t at = child_of(growing, 0, CT_TREE_CALL, path->function);

	if (at && !path->node)
		return child_of(growing, at, CT_TREE_UNKNOWN, 0);
	for (uint32_t node = path->node; node && at; node = stacks->node[node].caller) {
		const uint32_t *numbers;
		size_t count =
		    ct_symbols_frames(growing->tree->symbols, stacks->node[node].place, &numbers);

		for (size_t i = 0; i < count && at; i++)
			at = child_of(growing, at, CT_TREE_FRAME, numbers[i]);
	}
	return at;
}

static void add_figures(struct ct_call_tree_node *node, const struct ct_calls_path *path)
{
	node->count += path->count;
	node->total_ns += path->total_ns;
	node->own_ns += path->total_ns;
	node->waited_ns += path->waited_ns;
	node->device_ns += path->device_ns;
	node->bytes += path->bytes;
}

/* Children have larger numbers. */
static void sum_up(struct ct_call_tree *tree)
{
	for (size_t i = tree->count; i-- > 1;) {
		const struct ct_call_tree_node *node = &tree->node[i];
		struct ct_call_tree_node *parent = &tree->node[node->parent];

		parent->count += node->count;
		parent->total_ns += node->total_ns;
		parent->waited_ns += node->waited_ns;
		parent->device_ns += node->device_ns;
		parent->bytes += node->bytes;
	}
}

/* By parent, then the most time first. */
static int compare(const void *a, const void *b, void *user)
{
	const struct ct_call_tree_node *node = user;
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
	const struct ct_call_tree_node *x = &node[first], *y = &node[second];

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->total_ns != y->total_ns)
		return x->total_ns > y->total_ns ? -1 : 1;
	return first < second ? -1 : first > second;
}

static int sort(struct ct_call_tree *tree)
{
	tree->order = malloc(tree->count * sizeof(*tree->order));
	if (!tree->order)
		return -ENOMEM;
	for (size_t i = 1; i < tree->count; i++)
		tree->order[i - 1] = (uint32_t)i;
	qsort_r(tree->order, tree->count - 1, sizeof(*tree->order), compare, tree->node);
	for (size_t i = tree->count - 1; i-- > 0;)
		tree->node[tree->node[tree->order[i]].parent].first_child = (uint32_t)i;
	return 0;
}

static int grow(struct growing *growing, enum ct_call_tree_way way)
{
	struct ct_call_tree *tree = growing->tree;
	const struct ct_calls *calls = tree->calls;
	int err = ct_array_reserve(&tree->node, &growing->room, 1, sizeof(*tree->node));

	if (err < 0)
		return err;
	tree->node[tree->count++] = (struct ct_call_tree_node){.kind = CT_TREE_ROOT};
	if (way == CT_TREE_TOP_DOWN)
		err = show_stacks(growing);
	for (size_t i = 0; i < calls->paths && err == 0; i++) {
		uint32_t node = way == CT_TREE_TOP_DOWN ? top_down(growing, &calls->path[i])
							: bottom_up(growing, &calls->path[i]);

		if (!node)
			return -ENOMEM;
		add_figures(&tree->node[node], &calls->path[i]);
	}
	return err;
}

int ct_call_tree_init(struct ct_call_tree *tree, const struct ct_calls *calls,
		      const struct ct_symbols *symbols, enum ct_call_tree_way way)
{
	struct growing growing = {.tree = tree};
	int err;

	*tree = (struct ct_call_tree){.calls = calls, .symbols = symbols};
	err = grow(&growing, way);
	free(growing.shown);
	ct_map_fini(&growing.children);
	if (err == 0) {
		sum_up(tree);
		err = sort(tree);
	}
	if (err < 0)
		ct_call_tree_fini(tree);
	return err;
}

void ct_call_tree_fini(struct ct_call_tree *tree)
{
	free(tree->node);
	free(tree->order);
	*tree = (struct ct_call_tree){0};
}

const char *ct_call_tree_name(const struct ct_call_tree *tree, uint32_t node)
{
	const struct ct_call_tree_node *at = &tree->node[node];

	switch (at->kind) {
	case CT_TREE_FRAME:
		return ct_symbols_frame(tree->symbols, at->what)->function;
	case CT_TREE_CALL:
		return tree->calls->function[at->what].name;
	case CT_TREE_UNKNOWN:
		return "[unknown]";
	default:
		return "";
	}
}
