/* SPDX-License-Identifier: Apache-2.0 */
/* The 16 named barriers of a block. */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_BARRIER_H
#define CT_CPU_TARGET_RUNTIME_EXEC_BARRIER_H

#include <stdint.h>

#define CT_CPU_BARRIERS 16u

struct ct_cpu_block;

struct ct_cpu_barrier {
	uint32_t arrived;
	uint32_t expected; /* 0: every thread of the block that has not ended */
	uint32_t yes;      /* arrived with a true predicate (reductions) */
	uint32_t voters;   /* arrived with a predicate */
};

struct ct_cpu_barriers {
	struct ct_cpu_barrier barrier[CT_CPU_BARRIERS];
	uint32_t used; /* mask of barriers with arrivals */
};

/* Release every barrier that is complete; returns how many threads became
 * ready. Called when the warps of the block are idle. */
uint32_t ct_cpu_barriers_finish(struct ct_cpu_block *block);

/* Retargeted code calls these. */

enum ct_cpu_barrier_reduction { CT_RED_NONE, CT_RED_AND, CT_RED_OR, CT_RED_POPC };

uint32_t __ct_cpu_barrier(uint32_t id, uint32_t expected, uint32_t reduction, uint32_t predicate);
void __ct_cpu_barrier_arrive(uint32_t id, uint32_t expected);

#endif
