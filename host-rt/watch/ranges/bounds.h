/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What instrumented code asks before it calls: the bounds of all armed ranges; and what it asks
 * then, before anything is locked: whether a page has armed ranges, and where in it.
 */
#ifndef CT_HOST_RT_WATCH_RANGES_BOUNDS_H
#define CT_HOST_RT_WATCH_RANGES_BOUNDS_H

#include "host-rt/watch/ranges/ranges.h"

/* Listener of ranges; with the watch's lock held. */
void ct_bounds_arm(struct ct_range *range);
void ct_bounds_disarm(struct ct_range *range); /* it lives no more */

/* Instrumented code asks (as from the beginning), or does not. */
void ct_bounds_use(bool is_used);

/* Any thread. writes: the access does. */
bool ct_bounds_may_have(uint64_t address, uint64_t bytes, bool writes);

#endif
