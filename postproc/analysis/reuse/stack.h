/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The LRU stack of lines: how many distinct ones were accessed since a line was accessed last.
 *
 * Up to a bound of lines, distances are exact. Beyond it only lines are kept whose hash is below a
 * limit, which is halved as often as it takes (SHARDS: Waldspurger et al., FAST 2015, with rates
 * that are powers of two): an access of a line that is kept stands for 2^sampled accesses, and its
 * distance is that among lines that are kept, times 2^sampled. The memory is bounded by the bound;
 * time is a look-up and a count in bitmaps, whatever the distance.
 *
 * Not synchronised.
 */
#ifndef CT_POSTPROC_ANALYSIS_REUSE_STACK_H
#define CT_POSTPROC_ANALYSIS_REUSE_STACK_H

#include <stdbool.h>
#include <stdint.h>

#define CT_REUSE_NO_LAUNCH UINT32_MAX

struct ct_reuse_stack;

/* lines: the bound, from 64 to 2^26, in whole powers of two. 0 or -ENOMEM. */
int ct_reuse_stack_open(struct ct_reuse_stack **out, uint32_t lines);
void ct_reuse_stack_close(struct ct_reuse_stack *stack); /* NULL is allowed */

struct ct_reuse_touch {
	uint64_t distance; /* without meaning if the line was not accessed before */
	uint64_t weight;   /* accesses that this one stands for */
	uint32_t launch;   /* that accessed the line last; CT_REUSE_NO_LAUNCH: none did */
	uint32_t hash;     /* of the line: the same for the same line */
};

/* An access of a line in a launch. 1: *touch says what it was; 0: the line is not sampled;
 * -ENOMEM. */
int ct_reuse_stack_touch(struct ct_reuse_stack *stack, uint64_t line, uint32_t launch,
			 struct ct_reuse_touch *touch);

/* How often the limit was halved: one in 2^n lines is sampled. 0: distances are exact. */
uint32_t ct_reuse_stack_sampled(const struct ct_reuse_stack *stack);

#endif
