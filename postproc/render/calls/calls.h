/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, what they caused and where they were made: for a terminal, for flame graphs, as JSON. */
#ifndef CT_RENDER_CALLS_H
#define CT_RENDER_CALLS_H

#include "postproc/analysis/calls/sorted.h"
#include "postproc/analysis/calls/tree.h"
#include "postproc/tables/layout.h"
#include <stdio.h>

struct ct_calls_view {
	struct ct_style style;
	size_t rows;     /* most of each table */
	double share;    /* percent: nodes of a tree with less are left out */
	bool with_inner; /* also calls that are made within others */
};

/* All return 0 or a negative error. */

/* Tables of functions, kernels, copies, waits, threads, streams, and what is missing. */
int ct_calls_write(FILE *out, const struct ct_calls *calls, const struct ct_calls_view *view);

/* The tree, a line for each node. */
int ct_call_tree_write(FILE *out, const struct ct_call_tree *tree,
		       const struct ct_calls_view *view);

/* "main;solve;cudaMemcpy 123": microseconds of each path of a top-down tree, as flame graphs want
 * them. */
int ct_call_tree_write_folded(FILE *out, const struct ct_call_tree *tree);

/* A row for each thread and stream, the time from left to right. */
int ct_calls_write_timeline(FILE *out, const struct ct_calls *calls,
			    const struct ct_calls_view *view);

/* cudatrace-calls-1 (docs/json-schema.md). tree: top-down. name: of the trace. */
int ct_calls_write_json(FILE *out, const struct ct_calls *calls, const struct ct_call_tree *tree,
			const char *name);

#endif
