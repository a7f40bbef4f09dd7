/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of call paths: indented lines, and folded stacks. */
#include "base/quantity.h"
#include "postproc/facts/folded_name.h"
#include "postproc/render/calls/calls.h"
#include "postproc/tables/amount.h"
#include "postproc/tables/wrap.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define INDENT_MAX 60u
#define TIME_WIDTH 9u
#define COUNT_WIDTH 9u

/* Goes over the tree from the root, each node before its children. */
struct visit {
	uint32_t node, depth;
};

struct walk {
	const struct ct_call_tree *tree;
	struct visit *open; /* to be visited, the next one last */
	size_t count;
};

static int begin(struct walk *walk, const struct ct_call_tree *tree)
{
	*walk = (struct walk){.tree = tree, .open = malloc(tree->count * sizeof(*walk->open))};
	if (!walk->open)
		return -ENOMEM;
	walk->open[walk->count++] = (struct visit){0, 0};
	return 0;
}

static void push_children(struct walk *walk, const struct visit *from)
{
	const struct ct_call_tree *tree = walk->tree;
	const struct ct_call_tree_node *node = &tree->node[from->node];

	for (uint32_t i = node->children; i-- > 0;)
		walk->open[walk->count++] =
		    (struct visit){tree->order[node->first_child + i], from->depth + 1};
}

static void write_right(FILE *out, const char *text, unsigned width)
{
	unsigned used = ct_display_width(text, strlen(text));

	fprintf(out, "%*s%s", used < width ? (int)(width - used) : 0, "", text);
}

/* "solver.cu:88" */
static void write_place(FILE *out, const struct ct_code_frame *frame)
{
	const char *slash = strrchr(frame->file, '/');

	if (*frame->file)
		fprintf(out, "  %s:%" PRIu32, slash ? slash + 1 : frame->file, frame->line);
	else if (frame->is_named && *frame->module)
		fprintf(out, "  %s",
			strrchr(frame->module, '/') ? strrchr(frame->module, '/') + 1
						    : frame->module);
}

static void write_node(FILE *out, const struct ct_call_tree *tree, const struct visit *at,
		       const struct ct_calls_view *view)
{
	const struct ct_call_tree_node *node = &tree->node[at->node], *root = &tree->node[0];
	char time[CT_AMOUNT_BYTES], number[CT_NUMBER_BYTES], brief[CT_BRIEF_NAME_BYTES];
	uint32_t indent = at->depth - 1 > INDENT_MAX ? INDENT_MAX : at->depth - 1;
	double share =
	    root->total_ns ? 100.0 * (double)node->total_ns / (double)root->total_ns : 0.0;

	ct_amount_text(&(struct ct_amount){(double)node->total_ns / 1e9, "s"}, time);
	write_right(out, time, TIME_WIDTH);
	fprintf(out, " %5.1f %% ", share);
	write_right(out, ct_number(node->count, number), COUNT_WIDTH);
	fprintf(out, "  %*s", (int)indent, "");
	ct_emphasise(out, &view->style, node->kind == CT_TREE_CALL ? CT_BOLD : CT_PLAIN,
		     ct_shown_name(ct_call_tree_name(tree, at->node), brief));
	if (node->kind == CT_TREE_FRAME)
		write_place(out, ct_symbols_frame(tree->symbols, node->what));
	if (node->kind == CT_TREE_CALL && node->waited_ns)
		fprintf(
		    out, "  waited %s",
		    ct_amount_text(&(struct ct_amount){(double)node->waited_ns / 1e9, "s"}, time));
	fputc('\n', out);
}

int ct_call_tree_write(FILE *out, const struct ct_call_tree *tree, const struct ct_calls_view *view)
{
	uint64_t least = (uint64_t)((double)tree->node[0].total_ns * view->share / 100.0), left = 0;
	char number[CT_NUMBER_BYTES];
	struct walk walk;
	int err = begin(&walk, tree);

	if (err < 0)
		return err;
	fprintf(out, "     time   share     calls  call path\n");
	while (walk.count) {
		const struct visit at = walk.open[--walk.count];

		if (at.node && tree->node[at.node].total_ns < least) {
			left++;
			continue;
		}
		if (at.node)
			write_node(out, tree, &at, view);
		push_children(&walk, &at);
	}
	if (left)
		fprintf(out, "%s branches below %.3g %% are left out (--least=0)\n",
			ct_number(left, number), view->share);
	free(walk.open);
	return ferror(out) ? -EIO : 0;
}

/* Characters that separate frames and figures are not written in a name. */
static void write_folded_name(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(*name == ';' ? ':' : *name == '\n' ? ' ' : *name, out);
}

/* The nodes from the root to one: path[0 … returned - 1]. */
static size_t path_to(const struct ct_call_tree *tree, uint32_t node, uint32_t *path)
{
	size_t count = 0, first = 0;

	for (; node; node = tree->node[node].parent)
		path[count++] = node;
	for (size_t last = count; first + 1 < last; first++) {
		uint32_t swapped = path[first];

		path[first] = path[--last];
		path[last] = swapped;
	}
	return count;
}

int ct_call_tree_write_folded(FILE *out, const struct ct_call_tree *tree)
{
	uint32_t *path = malloc(tree->count * sizeof(*path));
	char brief[CT_BRIEF_NAME_BYTES];

	if (!path)
		return -ENOMEM;
	for (uint32_t node = 1; node < tree->count; node++) {
		size_t count;

		if (tree->node[node].kind != CT_TREE_CALL)
			continue;
		count = path_to(tree, node, path);
		for (size_t i = 0; i < count; i++) {
			if (i)
				fputc(';', out);
			write_folded_name(
			    out, ct_source_name_brief(ct_call_tree_name(tree, path[i]), brief));
		}
		fprintf(out, " %" PRIu64 "\n", (tree->node[node].total_ns + 500) / 1000);
	}
	free(path);
	return ferror(out) ? -EIO : 0;
}
