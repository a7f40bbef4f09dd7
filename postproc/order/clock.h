/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector clocks that share what they have in common.
 *
 * A clock says of each stream how many of its supersteps have happened. It is
 * the number of a tree of nodes with 16 children; leaves hold the counts. Trees
 * never change once they are handed out, so that clocks which differ in one
 * stream differ in one path, and a clock that learns nothing new stays the same
 * number. Clock 0 is all zeros.
 */
#ifndef CT_POSTPROC_ORDER_CLOCK_H
#define CT_POSTPROC_ORDER_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define CT_CLOCK_BITS 4u
#define CT_CLOCK_CHILDREN (1u << CT_CLOCK_BITS)

struct ct_clock_node {
	uint32_t at[CT_CLOCK_CHILDREN]; /* nodes, in leaves counts */
};

struct ct_clocks {
	struct ct_clock_node *node;
	uint32_t nodes, capacity;
	uint32_t first_own; /* nodes from here on are not handed out yet */
	uint32_t shift;     /* of the root's level */
	int err;            /* 0 or -ENOMEM; what is computed after that is of no use */
};

/* For streams 0 … streams-1. */
int ct_clocks_init(struct ct_clocks *clocks, uint32_t streams);
void ct_clocks_fini(struct ct_clocks *clocks);

/* A clock is changed by one or more of the calls below; all that they are given
 * but the clock itself was handed out before begin. */
void ct_clocks_begin(struct ct_clocks *clocks);
/* The greater of both, stream by stream. */
uint32_t ct_clocks_join(struct ct_clocks *clocks, uint32_t clock, uint32_t other);
/* At least count for stream. */
uint32_t ct_clocks_raise(struct ct_clocks *clocks, uint32_t clock, uint32_t stream, uint32_t count);

static inline uint32_t ct_clocks_at(const struct ct_clocks *clocks, uint32_t clock, uint32_t stream)
{
	for (uint32_t shift = clocks->shift;; shift -= CT_CLOCK_BITS) {
		clock = clocks->node[clock].at[stream >> shift & (CT_CLOCK_CHILDREN - 1)];
		if (!shift)
			return clock;
	}
}

#endif
