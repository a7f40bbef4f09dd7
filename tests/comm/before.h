/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Happened-before for tests, straight from the definition: a graph of the calls
 * and its transitive closure, in a matrix. Independent of postproc/order/order.c.
 */
#ifndef CT_TEST_BEFORE_H
#define CT_TEST_BEFORE_H

#include "trace/read/reader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A launch or a transfer, or a call that only orders. */
struct before_call {
	const struct ct_launch_info *launch;
	const struct ct_transfer_info *transfer;
	const struct ct_event_order *order;
	uint32_t part;
	uint64_t event_index;
	uint32_t superstep; /* CT_NO_STEP if it only orders */
};
#define CT_NO_STEP UINT32_MAX

struct before {
	struct before_call *call; /* part after part, in the order of the program */
	size_t calls;
	bool *reaches;  /* calls * calls */
	uint32_t *step; /* superstep -> call */
	uint32_t *level;
	uint32_t steps;
};

void before_init(struct before *before, const struct ct_trace *trace);
void before_fini(struct before *before);

const struct before_call *before_step(const struct before *before, uint32_t superstep);
/* Lists the supersteps before a launch that was handed out by the same trace. */
uint32_t before_step_of(const struct before *before, const struct ct_launch_info *launch);
bool before_is(const struct before *before, uint32_t s, uint32_t t);
uint32_t before_distance(const struct before *before, uint32_t s, uint32_t t);

#endif
