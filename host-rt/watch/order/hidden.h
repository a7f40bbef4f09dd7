/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work with effects that no access to memory shows: what kernels print, functions of the host. Of
 * the first wait that covers it nothing is known: it may be there for that. With the watch's lock
 * held.
 */
#ifndef CT_HOST_RT_WATCH_ORDER_HIDDEN_H
#define CT_HOST_RT_WATCH_ORDER_HIDDEN_H

#include "host-rt/watch/ranges/watched.h"

/* sequence: of the work (order.h); producer: id of the call; reason: static. */
void ct_hidden_add(const char *reason, uint32_t slot, uint64_t sequence, uint32_t producer);

/* A wait covers what is_covered says: a row of USE for each reason, if it is watched. */
void ct_hidden_wait(const struct ct_row_wait *row,
		    bool (*is_covered)(const void *user, uint32_t slot, uint64_t sequence),
		    const void *user);

/* Somebody else may rely on any wait from now on: each that is watched gets a row of USE that says
 * why nothing is known of it. reason: static. Any thread, without the lock. */
void ct_hidden_export(const char *reason);
void ct_hidden_tell_exported(const struct ct_row_wait *row);

#endif
