/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last waits that covered each stream's work, for what is used without a range of its own:
 * device memory that a library is given, events whose time is asked for. With the watch's lock
 * held.
 */
#ifndef CT_HOST_RT_WATCH_ORDER_REACHED_H
#define CT_HOST_RT_WATCH_ORDER_REACHED_H

#include "host-rt/watch/order/order.h"
#include "host-rt/watch/ranges/blocks.h"
#include "host-rt/watch/ranges/ranges.h"

struct ct_reached {
	uint64_t sequence; /* of the stream's work that it covers, the last */
	uint64_t end_ns;
	uint32_t call;  /* that waited; its id */
	bool is_asked;  /* its uses are wanted */
	bool is_unsure; /* a row says that nothing is known of it */
};

/* A wait has ended, which covers these: of a scope below DEVICE `reached` tells (order.h), and the
 * slot `own` is its stream's; CT_ORDER_SLOTS: it has none. */
void ct_reached_wait(const struct ct_row_wait *row, enum ct_watch_scope scope, int device,
		     uint32_t own, const uint64_t *reached);
/* A wait covers a slot's work until there. */
void ct_reached_add(uint32_t slot, const struct ct_reached *wait);
/* The last wait that covers it; NULL: none, or not known any more. */
struct ct_reached *ct_reached_by(uint32_t slot, uint64_t sequence);
/* The last one of the slot; NULL: none. */
struct ct_reached *ct_reached_last(uint32_t slot);

/* A row of USE of such a wait: for the block, or NULL, and the call with this id that asked for its
 * work, or 0. */
void ct_reached_tell(const struct ct_reached *wait, enum ct_use_origin origin,
		     const struct ct_block *block, uint32_t producer,
		     const struct ct_watch_touch *access);

#endif
