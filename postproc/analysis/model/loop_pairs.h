/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops of a kernel's blocks beside loops of its machine code. The assembler unrolls loops, makes
 * branches predicates and moves instructions between blocks, and says of none which one it was, but
 * loops stay in each other and in their order. So loops are compared by what they do to memory
 * (bytes that a lane loads and stores in each space, atomics, barriers), special functions and
 * floating-point operations of a turn; one of the machine's that does so u times as much in all is
 * that of the kernel, unrolled u times. A loop of the kernel that is in none is taken for unrolled
 * completely: its blocks are part of the loop around it, as often as they were executed. One with
 * loops in it that is like none may have whole turns of these beside its own.
 */
#ifndef CT_POSTPROC_ANALYSIS_MODEL_LOOP_PAIRS_H
#define CT_POSTPROC_ANALYSIS_MODEL_LOOP_PAIRS_H

#include "postproc/analysis/model/loops.h"
#include "postproc/analysis/model/operations.h"
#include "postproc/sass/decode.h"
#include "trace/read/reader.h"

/* One side: blocks, and what they do. */
struct ct_loop_side {
	struct ct_loops loops;
	uint32_t *first, *next;           /* edges, as of struct ct_block_graph */
	struct ct_operations *operations; /* by block */
	double *weight;                   /* by block: how often in a turn of its loop */
	bool *is_slow;                    /* by block: leads to a call, which is seldom needed */
	uint32_t blocks;
};

struct ct_loop_pairs {
	const struct ct_unit *unit;
	const uint64_t *executed; /* by block of ours: by warps */
	uint32_t first;           /* of all units' blocks: the kernel's first */
	uint32_t first_of_unit;   /* likewise of the unit's */
	struct ct_sass_code code;
	struct ct_loop_side ours, machines;
	uint32_t *found; /* by loop of ours: that of the machine; CT_LOOPS_NONE: none */
	bool *inside;    /* by loop of ours: its blocks are in a turn of the loop around it */
	double *turns;   /* by loop of ours: of its own in one of the machine's */
	uint32_t
	    *rest; /* by loop of ours: turns of those in it that the machine's has beside its own */
};

/* The kernel of that (mangled) name. executed: by block of all units, how often warps went through
 * it in the kernel; it is borrowed. Elf: of a cubin, an ELF file that was checked. 0; 1: the kernel
 * did not run, or its code cannot be read; -ENOMEM. ct_loop_pairs_fini in any case. */
int ct_loop_pairs_find(struct ct_loop_pairs *pairs, const struct ct_unit *units, size_t count,
		       const uint64_t *executed, const char *symbol, const struct ct_elf *elf);
void ct_loop_pairs_fini(struct ct_loop_pairs *pairs);

/* The loop of ours whose machine code has the block; CT_LOOPS_NONE: nothing leads to the block. */
uint32_t ct_loop_pairs_holder(const struct ct_loop_pairs *pairs, uint32_t block);

/* How often warps came to the loop's header. */
double ct_loop_pairs_executed(const struct ct_loop_pairs *pairs, uint32_t loop);

#endif
