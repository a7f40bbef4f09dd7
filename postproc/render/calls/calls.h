/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, what they caused and where they were made: in sentences, as a tree, for flame graphs. */
#ifndef CT_POSTPROC_RENDER_CALLS_CALLS_H
#define CT_POSTPROC_RENDER_CALLS_CALLS_H

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

/* How many there are, who recorded them, what is missing. */
void ct_calls_write(FILE *out, const struct ct_calls *calls, const struct ct_calls_view *view);

/* These return 0 or a negative error. */

/* The tree, a line for each node. */
int ct_call_tree_write(FILE *out, const struct ct_call_tree *tree,
		       const struct ct_calls_view *view);

/* "main;solve;cudaMemcpy 123": microseconds of each path of a top-down tree, as flame graphs want
 * them. */
int ct_call_tree_write_folded(FILE *out, const struct ct_call_tree *tree);

/* A row for each thread and stream, the time from left to right. */
int ct_calls_write_timeline(FILE *out, const struct ct_calls *calls,
			    const struct ct_calls_view *view);

#endif
