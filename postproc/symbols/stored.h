/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that traces have of their own (FRAME, CODE_FILE): resolved when the program had ended, so
 * that they are those of what ran, whatever has become of its files since.
 */
#ifndef CT_POSTPROC_SYMBOLS_STORED_H
#define CT_POSTPROC_SYMBOLS_STORED_H

#include "base/map.h"
#include "postproc/symbols/stacks.h"

/* The part of the tree that is of one trace. */
struct ct_stored_from {
	struct ct_trace *trace;
	const struct ct_map *module; /* part, module -> number of the file */
	const struct ct_map *places; /* offset, file -> place + 1 */
};

/* Takes those of a part into the tree, whose places are all of the trace's. 0 or a negative
 * error. */
int ct_stored_add(struct ct_stack_tree *stacks, const struct ct_stored_from *from, uint32_t part);

#endif
