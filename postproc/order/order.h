/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Supersteps and what happened before what (seed 001, 4.1 and 4.2.2).
 *
 * A superstep is a kernel launch, or a transfer (a copy or memset, which reads
 * and writes as "host"). They are numbered in the order of the program's
 * calls, part after part: a superstep never happens before one of a smaller
 * number. Happened-before is what the trace proves: order within a stream, the
 * legacy default stream, events recorded and waited for, waits of the host
 * (the calls of a process count as one sequence, whichever thread made them).
 * Supersteps of different parts are never ordered.
 */
#ifndef CT_POSTPROC_ORDER_ORDER_H
#define CT_POSTPROC_ORDER_ORDER_H

#include "trace/read/reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_superstep {
	const struct ct_launch_info *launch;     /* NULL: a transfer */
	const struct ct_transfer_info *transfer; /* NULL: a launch */
	uint64_t stream;
	uint64_t event_index;
	uint32_t part;
	uint32_t device;
	/* Launches on the longest chain that happened before, so that the first has
	 * level 0. Of a transfer: the level that a launch in its place would have. */
	uint32_t level;
};

struct ct_order;

/* The trace must outlive the order. 0 or -ENOMEM. Threads may share it after that. */
int ct_order_open(struct ct_order **out, const struct ct_trace *trace);
void ct_order_close(struct ct_order *order); /* NULL is allowed */

size_t ct_order_supersteps(const struct ct_order *order, const struct ct_superstep **supersteps);

#define CT_NO_SUPERSTEP UINT32_MAX
/* By launch id; CT_NO_SUPERSTEP if there is none. */
uint32_t ct_order_of_launch(const struct ct_order *order, uint32_t part, uint32_t launch);

/* Did s happen before t? False if s >= t. */
bool ct_order_before(const struct ct_order *order, uint32_t s, uint32_t t);

/* Kernel launches between s and t, which happened after s (seed 001, 6.3.2): 0
 * if t directly succeeds. Levels tell it: level(t) - level(s) - 1, of a
 * transfer at either end likewise, never below 0. */
uint32_t ct_order_distance(const struct ct_order *order, uint32_t s, uint32_t t);

#endif
