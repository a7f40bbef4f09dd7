/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device memory that a function of the host is given (MPI): an access to it belongs to the last
 * waits that cover the work which has used it. Nothing is armed for it, so that work costs a note
 * alone. With the watch's lock held.
 */
#ifndef CT_HOST_RT_WATCH_ORDER_DEVICES_H
#define CT_HOST_RT_WATCH_ORDER_DEVICES_H

#include "host-rt/watch/ranges/blocks.h"
#include "host-rt/watch/ranges/ranges.h"

/* Work of a slot uses the block. */
void ct_devices_used(const struct ct_block *block, uint32_t slot, uint64_t sequence,
		     uint32_t producer);
/* It may use any block: its arguments do not tell. */
void ct_devices_used_any(uint32_t slot, uint64_t sequence, uint32_t producer);
/* The block is a new one. */
void ct_devices_created(const struct ct_block *block);
/* A wait has covered work. */
void ct_devices_waited(void);

/*
 * A library accesses the block: rows for the last waits that cover work which has used it since it
 * was accessed before. Where none is known, as of work that other libraries have asked for, for the
 * last waits of all streams since: of these it is not known which is needed, so none may be called
 * needless.
 */
void ct_devices_access(const struct ct_block *block, const struct ct_watch_touch *access);
/* A library may have accessed anything: of the last waits of all streams nothing is known. */
void ct_devices_lose_all(const struct ct_watch_touch *access);

#endif
