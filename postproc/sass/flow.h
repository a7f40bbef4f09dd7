/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where control goes in the text of a PTX, line by line: loops, and what runs before a barrier.
 * Branches by a table (brx) are taken to go on behind them alone.
 */
#ifndef CT_POSTPROC_SASS_FLOW_H
#define CT_POSTPROC_SASS_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ct_ptx_flow;

/* text: lines that end with a zero each, copied as far as needed. 0 or -ENOMEM. Lines count from 1.
 */
int ct_flow_open(struct ct_ptx_flow **out, const char *text, size_t bytes);
void ct_flow_close(struct ct_ptx_flow *flow); /* NULL is allowed */

size_t ct_flow_lines(const struct ct_ptx_flow *flow);

/* The shortest loop that a line is in: a label to a branch back to it. All lines, if in none. */
struct ct_flow_loop {
	uint32_t first, last;
} ct_flow_loop(const struct ct_ptx_flow *flow, uint32_t line);

/* By line (line n at n - 1): whether it runs, and then no barrier but the one at `line`. To be
 * freed; NULL: no memory, or no barrier is there. */
bool *ct_flow_before(const struct ct_ptx_flow *flow, uint32_t line);

#endif
