/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spans of time that the program itself names: ranges and marks of NVTX, regions. Those that have
 * ended are in the log of the thread that ended them; this is about those that are open.
 *
 *	push, pop	the innermost of a group (a domain of NVTX, the regions) on its thread. One
 *			that does not end before those pushed within it, of other groups, overlaps
 *	start, stop	wherever; overlaps
 *
 * From any thread. A signal handler that comes in between changes nothing, and is not recorded.
 */
#ifndef CT_HOST_RT_SPANS_SPANS_H
#define CT_HOST_RT_SPANS_SPANS_H

#include "host-rt/calls/log.h"
#include <stdbool.h>
#include <stdint.h>

/* Returned where nothing is recorded, as NVTX does without a tool. */
#define CT_SPAN_NO_LEVEL (-2)

/* name: of names.h; base: frame address of the function that the program called. Returns how many
 * of the group the thread was in. */
int ct_span_push(uint32_t kind, const void *group, uint32_t name, const void *base);
/* Returns how many of the group the thread still is in; negative: it was in none. */
int ct_span_pop(const void *group);

/* Returns a number for stop, 0 if nothing is recorded. What has no such number is left alone. */
uint64_t ct_span_start(uint32_t name, const void *base);
void ct_span_stop(uint64_t span);

void ct_span_mark(uint32_t name, const void *base);

/* For the journal, at the end: `each` gets every open span, inner ones of a thread first, as one
 * that ends now. The threads go on. Stops at the first error, and returns it. */
int ct_spans_open(int (*each)(void *user, const struct ct_log_entry *entry), void *user);

#endif
