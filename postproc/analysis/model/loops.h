/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of a control flow graph, one in another: natural loops of its back edges, those with
 * the same header together. Loop 0 is the whole. Of a graph that cannot be reduced, edges that lead
 * back on the way that was walked first.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_LOOPS_H
#define CT_POSTPROC_ANALYSIS_MODEL_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#define CT_LOOPS_NONE UINT32_MAX
/* Loops of more blocks are not looked for: memory is their number times that of blocks. */
#define CT_LOOPS_BLOCKS 4096u

/* Edges of block b are next[first[b]] to next[first[b + 1] - 1]; of those that are out of range
 * nothing is known. */
struct ct_block_graph {
	uint32_t blocks;
	const uint32_t *first, *next;
};

struct ct_loop {
	uint32_t header; /* block; of loop 0: 0 */
	uint32_t parent; /* of loop 0: itself */
};

struct ct_loops {
	struct ct_loop *loop; /* by header, in the order of blocks; loop 0 first */
	uint32_t loops;
	uint32_t *of; /* by block: the innermost; CT_LOOPS_NONE: nothing leads there from block 0 */
};

/* 0; 1: too many blocks; -ENOMEM. ct_loops_fini in any case. */
int ct_loops_find(struct ct_loops *loops, const struct ct_block_graph *graph);
void ct_loops_fini(struct ct_loops *loops);

#endif
