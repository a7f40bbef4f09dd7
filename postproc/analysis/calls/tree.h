/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call paths as a tree of frames with names: top-down from `main` or a thread's start to the calls
 * of CUDA, or bottom-up from these to the start. Frames of one function and line are one, whatever
 * addresses they have.
 */
#ifndef CT_POSTPROC_ANALYSIS_CALLS_TREE_H
#define CT_POSTPROC_ANALYSIS_CALLS_TREE_H

#include "postproc/analysis/calls/calls.h"
#include "postproc/symbols/symbols.h"

enum ct_call_tree_way { CT_TREE_TOP_DOWN, CT_TREE_BOTTOM_UP };

/* A node stands for one of these. */
enum ct_call_tree_kind {
	CT_TREE_ROOT,
	CT_TREE_FRAME,   /* what: number of the frame */
	CT_TREE_CALL,    /* what: number of the function of ct_calls */
	CT_TREE_UNKNOWN, /* the stack is not known */
};

struct ct_call_tree_node {
	uint32_t parent; /* has a smaller number */
	uint32_t kind, what;
	uint32_t children;    /* how many */
	uint32_t first_child; /* in order */
	/* Sums of all calls below it; own: of those that end here. */
	uint64_t count, total_ns, waited_ns, device_ns, bytes, own_ns;
};

struct ct_call_tree {
	const struct ct_calls *calls;
	const struct ct_symbols *symbols;
	struct ct_call_tree_node *node; /* 0 is the root */
	size_t count;
	uint32_t *order; /* children of each node side by side, those of the most time first */
};

/* calls: with paths. Both are borrowed. 0 or -ENOMEM */
int ct_call_tree_init(struct ct_call_tree *tree, const struct ct_calls *calls,
		      const struct ct_symbols *symbols, enum ct_call_tree_way way);
void ct_call_tree_fini(struct ct_call_tree *tree);

/* The name at a node: of a frame its function, of a call the API's. */
const char *ct_call_tree_name(const struct ct_call_tree *tree, uint32_t node);

#endif
